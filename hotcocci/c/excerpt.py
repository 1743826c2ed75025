# SPDX-License-Identifier: GPL-2.0
"""Leave out of a file what a slow parser need not read: functions, declarations and comments; find the calls it did not report.

Functions that matter are kept, and the conditions of the preprocessor around them. Only whole lines are left
out, so that an excerpt does not change with the rest of its file; `Excerpt.line` gives a line's number there.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hotcocci.c.conditionals import dead_lines
from hotcocci.c.functions import name_before
from hotcocci.c.matches import dump, load
from hotcocci.c.source import NAME, Source, Token
from hotcocci.c.syntax import functions
from hotcocci.findings import Access, Facts
from hotcocci.tree.source import decode, without_comments

_LAST = rb"\}[ \t]*(?:/\*[^\n]*\*/[ \t]*)?$"
# Both braces alone in the first column, as in kernel style (coding-style.rst, "Placing Braces
# and Spaces"). What is between such functions is kept if anything in it matters.
_FUNCTION = re.compile(
    # Line by line, as a look at each character for an end takes several times as long.
    rb"^\{[ \t]*\n(?P<body>(?:(?!%s).*\n)*+)%s" % (_LAST, _LAST),
    re.MULTILINE,
)
# Perhaps an apostrophe alone, and what may contain one
_ODD = re.compile(rb"^[^'\n]*'(?:[^'\n]*'[^'\n]*')*[^'\n]*$", re.MULTILINE)
_QUOTED = re.compile(
    rb"""/\*.*?\*/|//(?:\\\n|[^\n])*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|'""",
    re.DOTALL,
)
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_CONDITIONS = re.compile(
    rb"^[ \t]*#[ \t]*(?:if|el|endif)(?:.*\\\n)*.*\n?", re.MULTILINE
)
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(\w*)", re.MULTILINE)
# How many open conditions a directive adds; other directives may matter after the function.
_DEPTH = {b"if": 1, b"ifdef": 1, b"ifndef": 1, b"endif": -1, b"else": 0, b"elif": 0}
_INERT = frozenset({b"pragma", b"error", b"warning", b"line", b""})
_STATEMENT_END = (b"\n}", b";\n", b"\n\n")


InFunction = Callable[[str, bytes, bytes], bool]
"""Whether a function matters, given the file, the text before its body, and its body, with or
without comments. It must not reject a function with findings."""


@dataclass(frozen=True)
class Wanted:
    """What matters in a file: functions, and code outside of them."""

    function: InFunction
    code: Callable[[bytes], bool]


@dataclass(frozen=True)
class Excerpt:
    """The text, and the first and last line of each function that matters, starting at 1.

    ``cuts`` are the lines before which some were removed, and ``removed`` how many were in all.
    """

    text: bytes
    wanted: tuple[tuple[int, int], ...]
    cuts: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()

    def line(self, number: int) -> int:
        """The number in the file of a line of the excerpt."""
        before = bisect_right(self.cuts, number)
        return number + self.removed[before - 1] if before else number


def excerpt(file: str, text: bytes, wanted: Wanted) -> Excerpt:
    """The functions of a file that are wanted, and the conditions around them.

    It has the line ends of `joined`.
    """
    text = joined(text)
    parts = list(_parts(file, text, wanted))
    starts = [0, *(found.end() for found in re.finditer(rb"\n", text))]
    # The number in the file and the text of each line that is kept.
    lines: list[tuple[int, bytes]] = []
    places: list[tuple[int, int]] = []
    for part in parts:
        pieces = _between(part.text, wanted) if part.body is None else [(0, part.text)]
        for offset, piece in pieces:
            first = bisect_right(starts, part.start + offset)
            before = lines[-1][0] if lines else 0
            numbered = enumerate(piece.removesuffix(b"\n").split(b"\n"), first)
            lines.extend(each for each in numbered if each[0] > before)
        if part.wanted:
            places.append(
                (len(lines) - (part.body or b"").count(b"\n") - 1, len(lines))
            )
    gaps = [(n, number - n) for n, (number, _) in enumerate(lines, 1)]
    cuts = [
        (n, gap)
        for (n, gap), (_, before) in zip(gaps, [(0, 0), *gaps])
        if gap != before
    ]
    return Excerpt(
        b"".join(line + b"\n" for _, line in lines),
        tuple(places),
        tuple(n for n, _ in cuts),
        tuple(gap for _, gap in cuts),
    )


@dataclass(frozen=True)
class _Part:
    """A function to keep with its head, or what is between two functions, without comments.

    ``start`` is the offset in the file; ``body`` is None between functions.
    """

    start: int
    text: bytes
    body: bytes | None = None
    wanted: bool = False


def _parts(file: str, text: bytes, wanted: Wanted) -> Iterator[_Part]:
    """The parts of a file without the functions to leave out."""
    end = 0
    for found in _FUNCTION.finditer(text):
        start, body = found.start(), found["body"]
        bare = _COMMENT.sub(b"", body)
        outside = without_comments(text[end:start])
        head = _head(outside)
        begin = text.rfind(b"\n", 0, start - len(head)) + 1
        yield _Part(end, outside[: max(begin - end, 0)])
        matters = wanted.function(file, head, bare)
        # A comment start inside a string would hide what follows.
        if matters or wanted.function(file, head, body) or not _stands_alone(bare):
            yield _Part(begin, text[begin : found.end()], body, matters)
        end = min(found.end() + 1, len(text))
    yield _Part(end, without_comments(text[end:]))


def _between(outside: bytes, wanted: Wanted) -> Iterator[tuple[int, bytes]]:
    """The pieces to keep of what is outside functions, each with its offset: all if anything in it matters."""
    if wanted.code(outside):
        yield 0, outside
        return
    for found in _CONDITIONS.finditer(outside):
        yield found.start(), found[0]


def joined(text: bytes) -> bytes:
    """A file as spatch can read it, with the same lines and columns.

    It has Unix line ends: spatch joins no line that ends in a backslash and CR LF to the next. And a blank for
    an apostrophe alone, as in a text under ``#if 0``: spatch would no longer count lines right after it.
    """
    text = text.replace(b"\r\n", b"\n")
    if _ODD.search(text):
        text = _QUOTED.sub(lambda found: found[0] if found[0] != b"'" else b" ", text)
    return text


def _head(before: bytes) -> bytes:
    """The declarator at the end of the text before a body, up to the body."""
    bare = before.rstrip()
    return before[max(bare.rfind(end) for end in _STATEMENT_END) + 1 :].lstrip()


def _stands_alone(body: bytes) -> bool:
    """Whether no comment or condition extends beyond the body, and it defines no macro."""
    if b"/*" in body or b"*/" in body:
        return False
    depth = 0
    for directive in _DIRECTIVE.finditer(body):
        word = directive[1]
        if word in _INERT:
            continue
        if word not in _DEPTH or (_DEPTH[word] == 0 and depth == 0):
            return False
        depth += _DEPTH[word]
        if depth < 0:
            return False
    return depth == 0


ACCESSES = frozenset({"get_user", "put_user", "__get_user", "__put_user"})


def unseen(
    text: str,
    facts: Facts,
    names: frozenset[str] = ACCESSES,
    version: int | None = None,
    spans: Iterable[tuple[int, int]] | None = None,
) -> list[int]:
    """The lines, starting at 1, of calls of these names that are missing in the facts.

    With ``spans``, only the text between these pairs of offsets is searched.
    Comments, strings, preprocessor lines, code that is not compiled (`dead_lines`), definitions and
    prototypes do not count. Calls in arguments of macros that spatch expands count as unseen.
    """
    if not names:
        return []
    seen = {(access.line, access.column) for access in facts.accesses}
    # Tokenizing a file costs a hundred times more than counting matches.
    if len(_calls(names).findall(text)) == len(seen):
        return []
    source = Source(facts.file, text)
    places = {source.offset(line, column) for line, column in seen}
    dead = dead_lines(text, version)
    parts = [source]
    if spans is not None:
        parts = [Source(facts.file, text, *span) for span in spans]
    code = [token for part in parts for token in part.code]
    lines = (
        source.line_of(token.start)
        for before, token, follower in zip((None, *code), code, code[1:])
        if token.text in names
        and follower.text == "("
        and token.start not in places
        and not _declares(before)
        and not text.startswith("(void)", follower.start)
    )
    return sorted({line for line in lines if line not in dead})


def looked_for(script: str) -> frozenset[str]:
    """The first tokens of what a semantic patch looks for, as ``get_user(`` and ``current->cred``."""
    found = re.findall(r"^(\w+)@a(\(|->\w+)", script, re.MULTILINE)
    return frozenset(name + rest for name, rest in found)


def unparsed(
    text: str,
    hidden: Iterable[tuple[int, int]],
    looked_for: frozenset[str],
    version: int | None,
) -> Iterator[Access]:
    """What a semantic patch would find in functions that spatch cannot parse.

    Of each the first line is given, that of its opening brace, and the last.
    """
    source, dead = Source("", text), dead_lines(text, version)
    for first, last in hidden:
        start, end = (source.line_starts[line - 1] for line in (first, last))
        name = name_before(text, start)
        code = Source("", text, start, end).code
        for a, b, c in zip(code, code[1:], code[2:]):
            begins = {a.text + b.text, a.text + b.text + c.text}
            line = source.line_of(a.start)
            if not looked_for.isdisjoint(begins) and line not in dead:
                yield Access(a.text, name, last, line, source.column(a.start))


def completed(
    names: frozenset[str],
    looked_for: frozenset[str],
    version: int | None,
    seen: dict[str, Any],
    part: Excerpt,
) -> dict[str, Any]:
    """Facts with those of functions that spatch cannot parse and we can, and the lines of calls still missing.

    A function without a call of one of these ``names`` has none.
    """
    text, found = decode(part.text), load(seen, "").accesses
    hidden = (
        (first, last)
        for first, last in part.wanted
        if not any(first <= access.line <= last for access in found)
    )
    more = Facts("", tuple(unparsed(text, hidden, looked_for, version)))
    every = [*found]
    for function in functions(Source("", text), more):
        if any(access.name in names for access in function.accesses):
            every += function.accesses
    every.sort(key=lambda access: (access.line, access.column))
    facts = Facts("", tuple(every))
    lines = unseen(text, facts, names, version)
    return (dump(facts) if every else {}) | ({"unseen": lines} if lines else {})


@lru_cache(maxsize=8)
def _calls(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(names))})\s*\(")


def _declares(before: Token | None) -> bool:
    """Whether the word before a name is its type."""
    return (
        before is not None
        and before.kind == NAME
        and before.text not in ("return", "else", "do", "case", "goto")
    )
