# SPDX-License-Identifier: GPL-2.0
"""Classify a called name: a macro with accesses, an inline function, or an out-of-line one.

SmPL cannot tell a macro from a function, so the text of the file and of the headers it includes
is searched for a definition. Names without one are unknown and give no report.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from hotcocci.c.conditionals import around
from hotcocci.c.constants import macros_named
from hotcocci.c.headers import reachable
from hotcocci.c.source import (
    NAME,
    WORD,
    Source,
    Token,
    called,
    closing,
    split,
    tokenize,
)
from hotcocci.findings import READ, READ_WRITE, WRITE
from hotcocci.tree.touched import Touched
from hotcocci.windows.events import ACCESSORS, BEGINS, ENDS, SCOPES, Helper

INLINED = "inlined"  # a macro, or an __always_inline function
INLINE = "inline"  # static or inline: the compiler decides
OUT_OF_LINE = "out of line"
UNKNOWN = "unknown"

_API = frozenset({*ACCESSORS, *BEGINS, *ENDS, *SCOPES, "unsafe_op_wrap"})
_OPENING = frozenset({*BEGINS, *SCOPES})
_BEGIN = re.compile(r"^(?:masked|user)?_\w*access_begin$")
_END = re.compile(r"^(?:user)?_\w*access_end$")
# A text with one of these may have helpers for windows.
_SIGNS = (
    "_access_begin(",
    "_access_end(",
    "unsafe_get_",
    "unsafe_put_",
    "unsafe_copy_",
)
# Maximum macro nesting; unsafe_put_sigmask() in powerpc's signal_32.c needs 2
_DEPTH = 4
_MACROS = re.compile(r"#[ \t]*define[ \t]+(\w+)([^\\\n]*(?:\\.[^\\\n]*)*)", re.DOTALL)
_NAMES = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(|[ \t]+\w+[ \t]*$)", re.MULTILINE
)
_PLAIN = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\S*\w[ \t]*\(", re.MULTILINE)
_FUNCTION = re.compile(
    r"^(?:static|inline|__always_inline)\b[^;{}#=]*?\b(?P<name>\w+)\([^;{}#]*\)\s*\{(?:(?P<line>[^\n{}]*)\}|[ \t]*\n(?P<body>.*?)^\})",
    re.MULTILINE | re.DOTALL,
)
_ALWAYS = re.compile(r"\b__always_inline\b|\balways_inline\b|\b__force_inline\b")


def helpers_of(root: Path, file: str, names: Iterable[str]) -> dict[str, Helper]:
    """The macros among these names that affect user access or control flow.

    ``file`` is relative to ``root``. Names of the API itself are left out.
    """
    found: dict[str, Helper] = {}
    own = _defined(root, file)
    wrap = "unsafe_op_wrap"
    if wrap in names:
        found[wrap] = Helper(label=1)
    for name in sorted({*names} & (own | _wrappers(root, file).keys()) - _API):
        helper = _helper(root, file, name, _DEPTH)
        if helper is not None:
            found[name] = helper
    plain = {name for text in _texts(root, file) for name in _PLAIN.findall(text)}
    for name in sorted(plain.intersection(names) - found.keys()):
        helper = _plain(root, file, name)
        if helper is not None:
            found[name] = helper
    return found


def kind_of(root: Path, file: str, name: str) -> str:
    """Classify a called name as INLINED, INLINE, OUT_OF_LINE or UNKNOWN.

    INLINED if any definition is; UNKNOWN if the others differ.
    """
    kinds = set()
    for header in reachable(root, file):
        if name in header.text:
            kinds |= _kinds(header.text, name)
    if not kinds or INLINED in kinds:
        return INLINED if kinds else UNKNOWN
    return kinds.pop() if len(kinds) == 1 else UNKNOWN


@lru_cache(maxsize=16)
def _texts(root: Path, file: str) -> tuple[str, ...]:
    """Those of `_own_texts`, and of all other headers that use windows, but for the API's."""
    other = (h.text for h in reachable(root, file) if h.path.name != "uaccess.h")
    return tuple(dict.fromkeys((*_own_texts(root, file), *filter(_has_sign, other))))


# The headers of one file are those of the next.
@lru_cache(maxsize=16384)
def _has_sign(text: str) -> bool:
    return any(sign in text for sign in _SIGNS)


@lru_cache(maxsize=16)
def _defined(root: Path, file: str) -> frozenset[str]:
    """The macros with parameters that a file, or a header of its own or for windows, defines."""
    return frozenset(n for text in _texts(root, file) for n in _NAMES.findall(text))


def touched_by(change: Touched, text: str) -> set[str]:
    """The macros and static functions of a file that a change touches."""
    line_of = Source("", text).line_of
    return {
        match[1]
        for pattern in (_MACROS, _FUNCTION)
        for match in pattern.finditer(text)
        if change.touches(line_of(match.start()), line_of(match.end()))
    }


def definitions(text: str) -> Counter[str]:
    """The number of definitions of each static function in a file."""
    return Counter(match["name"] for match in _FUNCTION.finditer(text))


def bodies(text: str) -> dict[str, tuple[int, int]]:
    """The offsets between which the static functions of a file are defined; the last one counts."""
    return {match["name"]: match.span() for match in _FUNCTION.finditer(text)}


@lru_cache(maxsize=16)
def _wrappers(root: Path, file: str) -> dict[str, str]:
    """The bodies of the static functions of a file, and of its headers."""
    found: dict[str, str] = {}
    for match in (m for text in _texts(root, file) for m in _FUNCTION.finditer(text)):
        found.setdefault(match["name"], match["line"] or match["body"] or "")
    return found


@lru_cache(maxsize=16)
def _leading(root: Path, file: str) -> frozenset[str]:
    """The functions of `_wrappers` that name a begin or an end, or others that do."""
    texts = [*_wrappers(root, file).items()]
    texts += [each for text in _texts(root, file) for each in _MACROS.findall(text)]
    words = [(name, frozenset(WORD.findall(body))) for name, body in texts]
    return frozenset(leading(words, {*BEGINS, *ENDS}) & _wrappers(root, file).keys())


def leading(
    words: Collection[tuple[str, Set[str]]], goals: Collection[str]
) -> set[str]:
    """Those, given with the words in each, that name one of these goals, or others that do."""
    found: set[str] = set()
    more = {*goals}
    while more:
        more = {n for n, w in words if n not in found and not w.isdisjoint(more)}
        found |= more
    return found


def function_of_header(root: Path, file: str, name: str) -> str:
    """The text of a static function that headers define once, without directives; else empty."""
    found = {
        match[0]
        for text in _texts(root, file)
        for match in _FUNCTION.finditer(text)
        if match["name"] == name
    }
    (text, *others) = found or {""}
    return text if not others and "#" not in text else ""


def _own_texts(root: Path, file: str) -> Iterator[str]:
    """The texts of a file and of the headers that it includes by a name in quotes."""
    own = next(iter(reachable(root, file)), None)
    if own is not None:
        quoted = {name.split("/")[-1] for quote, name in own.includes if quote == '"'}
        for header in islice(reachable(root, file), len(own.includes) + 1):
            if header is own or header.path.name in quoted:
                yield header.text


def jumps_of(root: Path, file: str) -> dict[str, str]:
    """The macros in sight of a file that stand for a jump, with its first word."""
    headers = [*reachable(root, file)]
    return {n: word for h in reversed(headers) for n, word in h.jumps.items()}


@lru_cache(maxsize=4096)
def _kinds(text: str, name: str) -> set[str]:
    """The ways that one file defines or declares a function.

    One that is out of line only where something is configured, and inline without that, is out of line.
    """
    word = re.escape(name)
    if re.search(rf"^[ \t]*\#[ \t]*define[ \t]+{word}\b", text, re.MULTILINE):
        return {INLINED}
    found: dict[int, str] = {}
    # A declaration begins in the first column, as labels do, and names its type before the function.
    declared = rf"^(?P<before>[A-Za-z_][^;:{{}}()#=]*?(?:\([^()]*\)[^;:{{}}()#=]*?)*)\b{word}\s*\("
    for match in re.finditer(declared, text, re.MULTILINE):
        before = match["before"]
        if not before.strip() or re.search(r"\breturn\b", before):
            continue
        if _ALWAYS.search(before):
            found[match.start()] = INLINED
        elif re.search(r"\b(?:__)?inline\b", before):
            found[match.start()] = INLINE
        elif re.search(r"\bstatic\b", before) and "noinline" not in before:
            found[match.start()] = INLINE
        else:
            found[match.start()] = OUT_OF_LINE
    kinds = {*found.values()}
    if kinds == {INLINE, OUT_OF_LINE} and _is_configured(text, found):
        return {OUT_OF_LINE}
    return kinds


def _is_configured(text: str, places: Iterable[int]) -> bool:
    """Whether two of these places are in different branches of one condition."""
    branches = {(c.at, number) for place in places for c, number in around(text, place)}
    return len(branches) > len({at for at, _ in branches})


@lru_cache(maxsize=1024)
def _helper(root: Path, file: str, name: str, depth: int) -> Helper | None:
    found = _macro(root, file, name)
    if found is None:
        aliased = _aliased(root, file, name, depth)
        return aliased or _wrapped(root, file, name, depth)
    parameters, body = found
    tokens = _code(body)
    directions: set[str] = set()
    labels: set[int] = set()
    # Those of the function that uses the macro, which inner accesses name
    named: list[str] = []
    opens = False
    for index, token in enumerate(tokens):
        follower = tokens[index + 1].text if index + 1 < len(tokens) else ""
        if token.kind != NAME or follower != "(" or token.text == name:
            continue
        opens = opens or token.text in _OPENING
        inner = _inner(root, file, token.text, depth)
        if inner is None:
            continue
        directions |= set(inner.directions)
        opens = opens or inner.opens
        label = _argument(tokens, index + 1, inner.label)
        if label in parameters:
            labels.add(parameters.index(label))
        elif label is not None:
            named.append(label)
        named += inner.jumps
    words = [token.text for token in tokens]
    labels |= {parameters.index(w) for w in _targets(words) if w in parameters}
    own = _defined(root, file)
    effect = _effect_of(root, file, name, tokens, depth)
    if effect is not None:
        return effect
    returns = name in own and "return" in words
    inside = {*parameters, *labels_in(words)}
    inside |= {word for word, after in zip(words, words[1:]) if after == ":"}
    targets = dict.fromkeys((*_targets(words), *named))
    jumps = tuple(word for word in targets if name in own and word not in inside)
    # Upper-case names are taken for macros.
    names = (t.text for t in called(tokens) if name in own and not t.text.isupper())
    calls = tuple(other for other in names if other not in _API)
    if not (directions or opens or returns or jumps or calls or labels):
        return None
    if READ_WRITE in directions or directions == {READ, WRITE}:
        directions = {READ, WRITE}
    if opens and (labels or jumps):
        return Helper(lost=f"{name}() may jump with its own window open")
    if opens:
        directions = set()
    label_place = labels.pop() if len(labels) == 1 else None
    return Helper(
        tuple(sorted(directions)),
        label_place,
        opens,
        returns=returns,
        jumps=jumps,
        calls=calls,
    )


@lru_cache(maxsize=4096)
def _code(body: str) -> tuple[Token, ...]:
    return tuple(t for t in tokenize(body) if t.kind != "comment")


def _wrapped(root: Path, file: str, name: str, depth: int) -> Helper | None:
    """The helper that a static function is, if all it does is a begin or an end, or that has accesses and neither."""
    tokens = _code(_wrappers(root, file).get(name, ""))
    if name not in _leading(root, file):
        inner = {token.text for token in called(tokens)}
        has = not inner.isdisjoint(ACCESSORS) and inner.isdisjoint(_OPENING)
        return Helper(accesses=True) if has else None
    if tokens and tokens[0].text == "return":
        tokens = tokens[1:]
    return _effect_of(root, file, name, tokens, depth)


def _effect_of(
    root: Path, file: str, name: str, tokens: tuple[Token, ...], depth: int
) -> Helper | None:
    """The effect of a macro or function on its caller's window; None if there is none."""
    whole = _renamed(root, file, name, tokens, depth)
    if whole is None and _is_half(root, file, name, tokens, depth):
        return Helper(lost=f"{name}() opens or ends it, and was not followed")
    return whole


def _renamed(
    root: Path, file: str, name: str, tokens: tuple[Token, ...], depth: int
) -> Helper | None:
    """The helper that a macro is another name for: its body is one begin or end."""
    words = [token.text for token in tokens]
    if words[:2] == ["do", "{"] and words[-5:] == ["}", "while", "(", "0", ")"]:
        tokens = tokens[2:-5]
    while tokens and tokens[0].text == "(" and closing(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    if tokens and tokens[-1].text == ";":
        tokens = tokens[:-1]
    if words[:1] == ["if"] or words[2:3] == ["if"]:
        return _or_leaves(root, file, name, tokens, depth)
    failed = bool(tokens) and tokens[0].text == "!"
    call = tokens[1:] if failed else tokens
    if len(call) < 3 or closing(call, 1) != len(call) - 1 or call[0].text == name:
        return None
    inner = _effect(root, file, call[0].text, depth)
    if inner is None or (failed and inner.opened is None) or _leaves(inner):
        return None
    return replace(inner, opened_when=inner.opened_when is not failed)


def _leaves(helper: Helper) -> bool:
    """Whether a macro jumps or returns if its begin fails."""
    return helper.returns or helper.label is not None or bool(helper.jumps)


def _or_leaves(
    root: Path, file: str, name: str, tokens: tuple[Token, ...], depth: int
) -> Helper | None:
    """The helper that a macro is which begins, and returns or jumps if that fails: ``if (!begin(p, n)) goto out``."""
    last = closing(tokens, 1)
    if last is None or tokens[2].text != "!":
        return None
    call, jump = tokens[3:last], [token.text for token in tokens[last + 1 :]]
    inner = _effect(root, file, call[0].text, depth)
    found = _macro(root, file, name)
    if closing(call, 1) != len(call) - 1 or found is None or inner is None:
        return None
    if inner.opened is None or inner.opened_when is not True or ";" in jump:
        return None
    inner = replace(inner, opened_when=None)
    if jump[:1] == ["return"]:
        return replace(inner, returns=True)
    if jump[:1] != ["goto"] or len(jump) != 2:
        return None
    parameters, _ = found
    if jump[1] in parameters:
        return replace(inner, label=parameters.index(jump[1]))
    return replace(inner, jumps=(jump[1],))


def _effect(root: Path, file: str, name: str, depth: int) -> Helper | None:
    """The effect of a begin, an end, or a macro for one on its caller's window."""
    if name in BEGINS and not BEGINS[name].masked:
        return Helper(opened=BEGINS[name])
    if name in ENDS:
        return Helper(ends=ENDS[name])
    defined = name in _defined(root, file) or name in _wrappers(root, file)
    if depth == 0 or name in _API or not defined:
        return None
    found = _helper(root, file, name, depth - 1)
    known = found is not None and (found.opened or found.ends or found.lost)
    return found if known else None


def _is_half(
    root: Path, file: str, name: str, tokens: tuple[Token, ...], depth: int
) -> bool:
    """Whether a macro has a begin without an end, an end without a begin, or one that has.

    Of a name that ## makes, the end is known: ``user_##mode##_access_begin()``.
    """
    names = {token.text for token in called(tokens)} - {name}
    made = [m for m in (_effect(root, file, n, depth) for n in names) if m is not None]
    opened = any(m.opened for m in made) or any(map(_BEGIN.search, names))
    ended = any(m.ends for m in made) or any(map(_END.search, names))
    return any(m.lost for m in made) or opened is not ended


def _aliased(root: Path, file: str, name: str, depth: int) -> Helper | None:
    """The helper that a ``#define NAME OTHER`` refers to; the first match counts."""
    for macro in macros_named(root, file, name):
        if macro.parameters is None and macro.body.isidentifier():
            helper = _effect(root, file, macro.body, depth)
            helper = helper or _inner(root, file, macro.body, depth)
            if helper is not None:
                return helper
    return None


def _plain(root: Path, file: str, name: str) -> Helper | None:
    """The effect of a macro without parameters that has calls: an open window is not followed through it."""
    calls: set[str] = set()
    for macro in macros_named(root, file, name):
        if macro.parameters is None:
            calls |= {t.text for t in called(_code(macro.body))}
    if any(n in _API or _effect(root, file, n, _DEPTH) for n in calls):
        lost = f"{name} is a macro that opens, uses or ends it"
        return Helper(lost=lost, plain=True)
    # Upper-case names are taken for macros.
    plain = tuple(sorted(n for n in calls if not n.isupper()))
    return Helper(calls=plain, plain=True) if plain else None


def _inner(root: Path, file: str, name: str, depth: int) -> Helper | None:
    accessor = ACCESSORS.get(name)
    if accessor is not None:
        return Helper((accessor.direction,), accessor.label)
    if name == "unsafe_op_wrap":
        return Helper((), 1)
    if depth == 0 or name not in _defined(root, file):
        return None
    return _helper(root, file, name, depth - 1)


def labels_in(words: Sequence[str]) -> Iterator[str]:
    """The labels that a macro declares with ``__label__``."""
    for number, word in enumerate(words):
        if word == "__label__" and ";" in words[number:]:
            yield from words[number + 1 : words.index(";", number) : 2]


def _targets(words: Sequence[str]) -> Iterator[str]:
    """The target labels of each goto, and the last operand of an asm goto."""
    for word, following in zip(words, words[1:]):
        if word == "goto" and following.isidentifier():
            yield following
    if any(word.startswith("asm") for word in words):
        for colon, word, bracket in zip(words, words[1:], words[2:]):
            if colon == ":" and bracket == ")" and word.isidentifier():
                yield word


def _macro(root: Path, file: str, name: str) -> tuple[tuple[str, ...], str] | None:
    """The parameters and the body of a function-like macro, from its nearest definition."""
    for macro in macros_named(root, file, name):
        if macro.parameters is not None:
            return macro.parameters, macro.body
    return None


def _argument(tokens: tuple[Token, ...], opening: int, place: int | None) -> str | None:
    """The text of an argument that is a single token; None otherwise."""
    last = closing(tokens, opening)
    if last is None or place is None:
        return None
    parts = split(tokens[opening + 1 : last], ",")
    if not -len(parts) <= place < len(parts) or len(parts[place]) != 1:
        return None
    return parts[place][0].text
