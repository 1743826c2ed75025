# SPDX-License-Identifier: GPL-2.0
"""Find the lines and tokens that a change touches, and pad both versions so that the others keep their numbers.

A line in both has the same number in both. ``__LINE__`` is then the same before and after in all code that a
change leaves alone, and a constant that differs is a difference.

Some words of a change mean something else where integers have another width or byte order, and in modules.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from hotcocci.c.flow import closure
from hotcocci.c.source import (
    COMMENT,
    COMMENTS,
    DIRECTIVE,
    NAME,
    NUMBER,
    Source,
    Token,
    closing,
    is_member,
    split,
    tokenize,
)
from hotcocci.proof.objects.pieces import Pieces, pieces
from hotcocci.proof.objects.silent import words

WORD = re.compile(r"\s*#\s*(\w+)(?:\s+(\w+))?")
# White space and comments, after # without effect; strings have none
_SPACE = re.compile(
    rf"""(#?)(?:{COMMENTS.pattern}|\s|\\\n)+|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""",
    re.DOTALL,
)
# Macros by their names, and those in small letters with #, as mutex_init() and static_assert()
_STRINGS = re.compile(r"\w*[A-Z]\w*|__stringify\w*|\w*assert\w*|\w*init\w*")
_STRINGED = re.compile(r"[^#\s]\s*#\s*[A-Za-z_]")
# Directives that begin and end branches
CONDITIONS = frozenset("if ifdef ifndef elif else elifdef elifndef endif".split())
# Those that decide what is compiled, or which line that is
DECIDING = CONDITIONS | {"line"}
# Pairs of tokens to compare, which takes a second; all differ in what has more.
MOST = 4_000_000


@dataclass(frozen=True)
class Text(Source):
    """One version of a file; its tokens are without comments."""

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(t for t in tokenize(self.text) if t.kind != COMMENT)

    @cached_property
    def pieces(self) -> Pieces:
        """The pieces of its functions."""
        return pieces(self.text)

    @cached_property
    def used(self) -> dict[str, set[str]]:
        """The names in the body of each macro."""
        return {
            name: {t.text for t in tokenize(WORD.sub("", token.text)) if t.kind == NAME}
            for token in self.tokens
            if (name := defined(token))
        }

    def function(self, token: Token) -> str:
        """The function that a token is in; empty outside of functions."""
        owner = self.pieces.owner.get(token.start)
        return "" if owner is None else self.pieces.all[owner].function

    def lines(self) -> dict[int, list[Token]]:
        """The tokens that begin on each line that has any."""
        found: dict[int, list[Token]] = {}
        for token in self.tokens:
            found.setdefault(self.line_of(token.start), []).append(token)
        return found


def word_of(token: Token) -> str:
    """The name of a directive: "if", "define" and so on; empty for other tokens. A number alone is a "line"."""
    found = WORD.match(token.text) if token.kind == DIRECTIVE else None
    word = found[1] if found else ""
    return "line" if word.isdecimal() else word


def defined(token: Token) -> str:
    """The name that a directive defines; empty if it defines none."""
    found = WORD.match(token.text) if word_of(token) == "define" else None
    return (found[2] or "") if found else ""


def decides(text: Text, token: Token) -> bool:
    """Whether a directive decides what is compiled; #undef does so where only headers, or options of compilers, define its name."""
    word = word_of(token)
    if word == "undef":
        found = WORD.match(token.text)
        return not any(found and defined(each) == found[2] for each in text.tokens)
    return word in DECIDING


@lru_cache(maxsize=2)
def differing(old: Text, new: Text) -> tuple[list[Token], list[Token]]:
    """The tokens of each version that the other has not, in two texts with aligned lines."""
    sides = old.lines(), new.lines()
    found: tuple[list[Token], list[Token]] = ([], [])
    for run in _runs(*sides):
        lines = [[side[n] for n in run if n in side] for side in sides]
        keys = [[tuple(map(_key, each)) for each in several] for several in lines]
        for a, b, c, d in unequal(*keys):
            tokens = (
                [t for line in lines[0][a:b] for t in line],
                [t for line in lines[1][c:d] for t in line],
            )
            if len(tokens[0]) * len(tokens[1]) > MOST:
                found[0].extend(tokens[0])
                found[1].extend(tokens[1])
                continue
            for e, f, g, h in unequal(*([_key(t) for t in each] for each in tokens)):
                found[0].extend(tokens[0][e:f])
                found[1].extend(tokens[1][g:h])
    return found


def through(text: Text, names: set[str]) -> set[str]:
    """These names, and the macros of a text that use one of them, also through others."""
    known = set(names)
    bodies = text.used.items()
    more = known
    while more:
        more = {n for n, body in bodies if n not in known and body & known}
        known |= more
    return known


def uses(text: Text, names: set[str]) -> Iterator[Token]:
    """The tokens that use a macro, also through other macros of this text; conditions of #if too.

    So does an argument that may be a part of its name: A of FOO(A), for FOO_##x, or of CONCATENATE(FOO_, A).
    """
    known = through(text, names)
    said = {t.text for t in text.tokens if t.kind != DIRECTIVE}.union(
        *text.used.values()
    )
    parts = {
        part
        for name in known
        for at in range(1, len(name))
        if {name[:at], name[at:]} <= said
        for part in (name[:at], name[at:])
    }
    around = ("", *(t.text for t in text.tokens), "")
    for token, before, after in zip(text.tokens, around, around[2:]):
        argument = before in ("(", ",") and after in (")", ",")
        if (
            token.kind == NAME
            and token.text in known
            or argument
            and token.text in parts
        ):
            yield token
        elif word_of(token) in CONDITIONS:
            if known & {t.text for t in tokenize(token.text.replace("#", " "))}:
                yield token


def _key(token: Token) -> str:
    if token.kind != DIRECTIVE:
        return token.text
    return _SPACE.sub(
        lambda found: found[0] if found[1] is None else found[1] or " ", token.text
    ).strip()


def _runs(old: dict[int, list[Token]], new: dict[int, list[Token]]) -> list[list[int]]:
    """Runs of lines that differ; lines without tokens on either side do not end one."""
    found: list[list[int]] = [[]]
    for line in sorted(old.keys() | new.keys()):
        sides = [list(map(_key, side.get(line, ()))) for side in (old, new)]
        if sides[0] != sides[1]:
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [run for run in found if run]


def _opcodes(
    old: Sequence[Hashable], new: Sequence[Hashable]
) -> Sequence[tuple[str, int, int, int, int]]:
    return SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


@lru_cache(maxsize=2)
def _of_lines(old: str, new: str) -> Sequence[tuple[str, int, int, int, int]]:
    """The same of the lines of two texts, which are asked for twice."""
    return _opcodes(lines_of(old), lines_of(new))


def unequal(
    old: Sequence[Hashable], new: Sequence[Hashable]
) -> Iterator[tuple[int, int, int, int]]:
    """The start and end of each difference between two sequences, in the old one and in the new one."""
    return ((a, b, c, d) for tag, a, b, c, d in _opcodes(old, new) if tag != "equal")


# Converts the line of a compiled file to that of the file as it was given.
Original = Callable[[str, int], int]


@dataclass(frozen=True)
class Aligned:
    """Both versions of a file with padding, and the original number of each line, by side."""

    file: str
    texts: tuple[str, str]
    numbers: tuple[tuple[int, ...], tuple[int, ...]]

    @cached_property
    def sides(self) -> tuple[Text, Text]:
        return Text(self.file, self.texts[0]), Text(self.file, self.texts[1])

    @cached_property
    def changed(self) -> tuple[list[Token], list[Token]]:
        """The tokens of each side that the other one has not."""
        return differing(*self.sides)

    @cached_property
    def words(self) -> frozenset[str]:
        """The texts of all changed tokens."""
        return frozenset(token.text for side in self.changed for token in side)

    @cached_property
    def functions(self) -> set[str]:
        """The functions with changed tokens."""
        both = zip(self.sides, self.changed, strict=True)
        return {text.function(t) for text, side in both for t in side} - {""}

    @cached_property
    def reached(self) -> dict[str, set[str]]:
        """These functions, and those of the file that they name, also through others, each with what it names."""
        names: dict[str, set[str]] = {}
        for text in self.sides:
            for token in text.tokens:
                names.setdefault(text.function(token), set()).add(token.text)
        inside = self.functions & names.keys()
        found = closure(inside, lambda name: names[name] & names.keys())
        return {name: names[name] for name in found}

    @cached_property
    def names(self) -> set[str]:
        """The names in these functions."""
        return set().union(*self.reached.values())

    def original(self, side: int) -> Original:
        """The original line numbers of one side: 0 before the change, 1 after it."""
        numbers = self.numbers[side]

        def number(file: str, line: int) -> int:
            own = file == self.file or file.endswith(f"/{self.file}")
            return numbers[line - 1] if own and 0 < line <= len(numbers) else line

        return number


@dataclass
class _Version:
    """One version while it is padded."""

    given: list[str]
    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    @property
    def continues(self) -> bool:
        """Whether the next line belongs to the last one, as in a macro: a blank line would end it."""
        return bool(self.lines) and self.lines[-1].rstrip().endswith("\\")

    def take(self, start: int, end: int) -> None:
        self.lines += self.given[start:end]
        self.numbers += range(start + 1, end + 1)

    def pad(self, length: int) -> None:
        missing = length - len(self.lines)
        self.lines += [""] * missing
        self.numbers += self.numbers[-1:] * missing or [1] * missing


def lines_of(text: str) -> list[str]:
    """The lines as a compiler counts them: form feeds, and bytes of UTF-8, end none."""
    return text.removesuffix("\n").split("\n")


def aligned(file: str, old: str, new: str) -> Aligned:
    """Pad the shorter side of each difference after its last line."""
    versions = _Version(lines_of(old)), _Version(lines_of(new))
    for tag, a, b, c, d in _of_lines(old, new):
        if tag != "equal":
            versions[0].take(a, b)
            versions[1].take(c, d)
            continue
        for at, other in zip(range(a, b), range(c, d), strict=True):
            if not any(version.continues for version in versions):
                longest = max(len(version.lines) for version in versions)
                for version in versions:
                    version.pad(longest)
            versions[0].take(at, at + 1)
            versions[1].take(other, other + 1)
    before, after = versions
    texts = ["\n".join(version.lines) + "\n" for version in versions]
    return Aligned(
        file, (texts[0], texts[1]), (tuple(before.numbers), tuple(after.numbers))
    )


def is_layout(aligned: Aligned) -> bool:
    """Whether a compiler reads the same after a change."""
    if any(aligned.changed):
        return False
    return _spelled(aligned.sides[0]) == _spelled(aligned.sides[1])


def _spelled(text: Text) -> list[str]:
    """The arguments of macros that may make strings of them, in which white space counts."""
    code = [token for token in text.tokens if token.kind not in (COMMENT, DIRECTIVE)]
    own = {n for t in text.tokens if (n := defined(t)) and _STRINGED.search(t.text)}
    found = []
    for at in range(1, len(code)):
        name = code[at - 1].text
        if code[at].text == "(" and (name in own or _STRINGS.fullmatch(name)):
            for argument in split(code[at + 1 : closing(code, at)], ","):
                following = zip(argument, argument[1:])
                gaps = [" " * (b.start > a.end) + b.text for a, b in following]
                found.append("".join([t.text for t in argument[:1]] + gaps))
    return found


@dataclass(frozen=True)
class Changed:
    """A changed file: the lines that differ before and after, as numbered in the file as it was given.

    ``aligned`` has the texts to compile.
    """

    file: str
    old: frozenset[int]
    new: frozenset[int]
    aligned: Aligned


# A comparison asks for it once more.
@lru_cache(maxsize=1)
def changed_lines(file: str, old: str, new: str) -> Changed:
    """Compare two versions of a file.

    If lines are only added or only removed, the adjacent lines of the other side count as changed.
    A changed macro adds every line that uses it.
    """
    touched: tuple[set[int], set[int]] = set(), set()
    for tag, a, b, c, d in _of_lines(old, new):
        both = ((a, b), (c, d)) if tag != "equal" else ()
        for lines, (start, end) in zip(touched, both, strict=False):
            lines.update(range(start + 1, end + 1) or (start, start + 1))
    before, after = (
        frozenset(lines | _uses(Text(file, text), lines))
        for lines, text in zip(touched, (old, new), strict=True)
    )
    return Changed(file, before, after, aligned(file, old, new))


def _uses(own: Text, lines: set[int]) -> frozenset[int]:
    """The lines that use a macro which is defined on one of ``lines``, directly or indirectly."""
    names = {
        name
        for token in own.tokens
        if (name := defined(token))
        and not lines.isdisjoint(
            range(own.line_of(token.start), own.line_of(token.end - 1) + 1)
        )
    }
    found = uses(own, names) if names else ()
    return frozenset(own.line_of(t.start) for t in found if t.kind == NAME)


# Types, functions, constants and literals that long and pointers decide on, and those that may take their
# place (u64), by name; typedefs may be of either kind.
_WIDTH = (
    r"\w*(?:long|LONG|64|jiffies)\w*|\w+_t|\w*(?:toul|_ul)l?|_*(?:BIT)?ULL?"
    # Numbers of a type, or that need more than 32 bits
    r"|\d\w*[lL][uU]?|0[xX]0*[1-9a-fA-F][0-9a-fA-F]{8,}[uU]?|[1-9]\d{9,}[uU]?"
    r"|\w*SIZE_MAX|do_div|PFN_\w+|PAGE_\w+|kmap\w*|kunmap\w*"
    # Of a size_t, of an unsigned long, and builtins of either
    r"|size_(?:mul|add|sub)\w*|\w*array3?_size\w*|struct_size\w*|check_\w+_overflow|\w*alloc_array\w*"
    r"|\w*calloc\w*|memdup_array\w*|(?:is_)?\w*power?_of_(?:2|two)|BIT|GENMASK|MAX_LFS_FILESIZE"
    r"|__f[fl]s|ffz|__builtin_\w+l"
)
# Conversions of byte order, and casts from and to types that have one
_ORDER = r"(?:\w*_)?(?:le|be)(?:16|32)\w*|\w*_[bl]e|[hn]to[hn][sl]|\w*swab\w*|__force"
# What is empty where everything is built in (include/linux/module.h)
_MODULE = r"THIS_MODULE|MODULE(?:_\w+)?|module_\w+|__module_get"
DEPENDS = re.compile(f"{_WIDTH}|{_ORDER}|{_MODULE}")
SIZE = "sizeof"
# What depends on the types of its operand
_OF_TYPES = re.compile(rf"{SIZE}|(?:__)?typeof\w*|offsetof(?:end)?")
# Operators that may lose bits in a narrower type, those that may have one operand, and what is none before them
_COMPUTES = frozenset("* / % + - << >> ~ *= /= %= += -= <<= >>=".split())
# The sign of an operand decides, which a narrower long may not have
_COMPARES = frozenset("< > <= >=".split())
_EITHER = frozenset("*+-")
_POSTFIX = frozenset(("->", ".", "(", "["))
_NO_OPERAND = frozenset("return case else do".split())
# As wide as long
_LONG = frozenset("size_t ssize_t uintptr_t intptr_t".split())
# What follows the name of a variable or parameter in its declaration
_DECLARED = frozenset("; , = )".split())


def depending(file: str, old: str, new: str) -> tuple[str, ...]:
    """The words of a change to a file that may mean something else on another architecture, or in a module.

    ``sizeof``, and the like, is among them if one is new, gone or has another operand, and so are the operators of arithmetic beside
    what changes: which type an operand has decides on the bits that are lost. Sorted.
    """
    both = aligned(file, old, new)
    texts, sides = both.sides, both.changed
    found = {t.text for side in sides for t in side if t.kind != DIRECTIVE} - {SIZE}
    sizes = [Counter(_typed(text.tokens)) for text in texts]
    found |= {name for name, _ in (sizes[0] - sizes[1]) | (sizes[1] - sizes[0])}
    macros = [Counter(words(t for t in side if t.kind == DIRECTIVE)) for side in sides]
    found |= (macros[0] - macros[1]).keys() | (macros[1] - macros[0]).keys()
    made_of = [_made_of(*each) for each in zip(texts, sides, strict=True)]
    found |= made_of[0] ^ made_of[1]
    if any(SIZE in each for each in macros):
        found.add(SIZE)
    depends = (_OF_TYPES, DEPENDS)
    found = {word for word in found if any(each.fullmatch(word) for each in depends)}
    computed = (_computing(*each) for each in zip(texts, sides, strict=True))
    return tuple(sorted(found.union(_exchanged(*texts), *computed)))


def _exchanged(old: Text, new: Text) -> set[str]:
    """The words of width in the types of variables that take each other's place: their values may be the same here."""
    types = [_types(text) for text in (old, new)]
    # The words of other declarations change.
    kept = dict(types[0].items() & types[1].items())
    sides = old.lines(), new.lines()
    found = set[str]()
    for run in _runs(*sides):
        was, now = (
            [
                kept[key]
                for n in run
                for token in side.get(n, ())
                if (key := (text.function(token), token.text)) in kept
            ]
            for text, side in zip((old, new), sides, strict=True)
        )
        lost, gained = Counter(was) - Counter(now), Counter(now) - Counter(was)
        if lost and gained or not lost and not gained and was != now:
            found |= {word for kind in (*was, *now) for word in kind}
    return found


def _types(text: Text) -> dict[tuple[str, str], tuple[str, ...]]:
    """The words of width in the type of each variable and parameter, by its function and name; none has pointers."""
    code = [token for token in text.tokens if token.kind != DIRECTIVE]
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    kind: list[str] = []
    begins = True
    for token, follower in zip(code, code[1:]):
        if token.kind == NAME == follower.kind:
            kind = [token.text] if begins else [*kind, token.text]
            begins = False
            continue
        said = ("long" if word in _LONG else word for word in kind)
        known = tuple(word for word in said if DEPENDS.fullmatch(word))
        if token.kind == NAME and follower.text in _DECLARED and known:
            found[text.function(token), token.text] = known
        # Several variables of a type follow each other.
        begins = True
        if token.text != "," and follower.text != ",":
            kind = []
    return found


def _computing(text: Text, changed: Sequence[Token]) -> set[str]:
    """The operators of arithmetic among changed tokens, and beside operands with one."""
    code = [token for token in text.tokens if token.kind != DIRECTIVE]
    starts = {token.start: at for at, token in enumerate(code)}
    found = set[str]()
    for token in changed:
        if token.kind == DIRECTIVE:
            body = tokenize(WORD.sub("", token.text))
            found |= {t.text for at, t in enumerate(body) if _computes(body, at)}
        elif token.start in starts:
            first = last = starts[token.start]
            while first > 0 and code[first - 1].text in ("->", "."):
                first -= 2
            while last + 2 < len(code) and code[last + 1].text in _POSTFIX:
                end = closing(code, last + 1) if code[last + 1].text in "([" else None
                last = end or last + 2
            while _is_enclosed(code, first, last):
                first, last = first - 1, last + 1
            beside = (first - 1, starts[token.start], last + 1)
            found |= {code[at].text for at in beside if _computes(code, at)}
    return found


def _is_enclosed(code: Sequence[Token], first: int, last: int) -> bool:
    """Whether brackets are around tokens, and are not those of a call or a condition."""
    if first < 2 or last + 1 >= len(code):
        return False
    before = code[first - 2]
    called = before.kind == NAME and before.text not in _NO_OPERAND
    return code[first - 1].text + code[last + 1].text == "()" and not called


def _computes(code: Sequence[Token], at: int) -> bool:
    """Whether a token is an operator of arithmetic or a comparison with no constant, and none of pointers."""
    if not 0 < at < len(code) - 1:
        return False
    before, text, after = code[at - 1], code[at].text, code[at + 1]
    if text in _COMPARES:
        return not any(map(_is_constant, (before, after)))
    if text not in _EITHER:
        return text in _COMPUTES
    if text == "-" and (after.kind == NAME or after.text == "("):
        # -EINVAL is a constant.
        return not after.text.isupper()
    if before.text in _NO_OPERAND:
        return False
    # A name before * may be that of a type.
    return (
        before.kind == NUMBER
        or before.text in (")", "]")
        or before.kind == NAME
        and (code[at].text != "*" or is_member(code, at - 1) or _assigned(code, at))
    )


def _is_constant(token: Token) -> bool:
    return token.kind == NUMBER or token.kind == NAME and token.text.isupper()


def _assigned(code: Sequence[Token], at: int) -> bool:
    """Whether the operand before an operator follows another one."""
    text = code[at - 2].text if at > 1 else ""
    return text in _NO_OPERAND or text != "*" and text in _COMPUTES or "=" in text


def _made_of(text: Text, changed: Sequence[Token]) -> set[str]:
    """The words of the macros of a text that changed tokens use, also through others."""
    bodies = {name: set(words([t])) for t in text.tokens if (name := defined(t))}
    waiting = [t.text for t in changed if t.text in bodies]
    known, found = set(waiting), set[str]()
    while waiting:
        body = bodies[waiting.pop()]
        found |= body
        waiting += body & bodies.keys() - known
        known |= body
    return found


def sizes_in(tokens: Sequence[Token]) -> Iterator[str]:
    """Each sizeof with its operand, except those that pass a call the size of another argument."""
    return (said for word, said in _typed(tokens) if word == SIZE)


def _typed(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """The same, and what else depends on the types of an operand, each with its word."""
    return ((word, said) for word, said, called in _sizes(tokens) if not called)


def passed_sizes(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Calls with the size of another argument, and each such sizeof with its operand."""
    return ((called, said) for _, said, called in _sizes(tokens) if called)


def _sizes(tokens: Sequence[Token]) -> Iterator[tuple[str, str, str]]:
    """All that depends on the types of an operand: its word, the whole, and what is called if it passes a size.

    Without brackets the operand is the rest of the statement.
    """
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.text == "(":
            opened.append(at)
        elif token.text == ")" and opened:
            opened.pop()
        elif _OF_TYPES.fullmatch(token.text):
            end = at + 1
            if tokens[end : end + 1] and tokens[end].text == "(":
                end = (closing(tokens, end) or len(tokens) - 1) + 1
            else:
                while end < len(tokens) and tokens[end].text not in ";)":
                    end += 1
            size = tokens[at:end]
            passed = token.text == SIZE and opened
            called = passed and _is_passed(size, tokens, opened[-1])
            name = tokens[opened[-1] - 1].text if called else ""
            yield token.text, "".join(t.text for t in size), name


def _is_passed(size: Sequence[Token], tokens: Sequence[Token], opening: int) -> bool:
    """Whether the object of a sizeof is passed beside it: f(p, sizeof(*p)), f(&x, sizeof(x))."""
    inside = tokens[opening + 1 : closing(tokens, opening)]
    passed = {"".join(t.text for t in part) for part in split(inside, ",")}
    operand = "".join(t.text for t in size[2:-1])
    return f"&{operand}" in passed or operand[:1] == "*" and operand[1:] in passed
