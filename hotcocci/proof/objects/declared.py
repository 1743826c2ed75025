# SPDX-License-Identifier: GPL-2.0
"""Find changes of declarations that matter to readers other than this compiler.

That is control-flow integrity its type, the BPF verifier its names, and sparse its annotations, as __user. The machine
code is the same whatever they are. So it is on some 32-bit kernels, whose phys_addr_t has 32 bits, for words of width
beside such values, and wrong on those where it has 64 (CONFIG_PHYS_ADDR_T_64BIT).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from typing import NamedTuple

from hotcocci.c.flow import closure
from hotcocci.c.source import (
    DIRECTIVE,
    NAME,
    NUMBER,
    Token,
    closing,
    is_member,
    tokenize,
)
from hotcocci.proof.changed import Text
from hotcocci.proof.objects.silent import WIDER, edge, words
from hotcocci.proof.objects.claimed import enumerators

# Documentation/security/self-protection.rst, scripts/Makefile.extrawarn (-Wcast-function-type-strict)
CAST = "with CONFIG_CFI_CLANG, calls through a pointer to another type of function are trapped"
# Documentation/bpf/kfuncs.rst; kernel/bpf/verifier.c: BTF_TYPE_SAFE_RCU()
VERIFIER = "the BPF verifier reads the names of parameters and members, and their types"

# Documentation/process/4.Coding.rst, Documentation/kbuild/headers_install.rst
USERS = "programs of user space may use this name"

ASSERTED = (
    "what it asserts may not hold in another configuration, or on another architecture"
)

# CONFIG_RANDSTRUCT, and members that an option adds
POSITIONAL = "which members it sets depends on the configuration"

# Documentation/process/deprecated.rst; -fstrict-flex-arrays=3 of gcc 13 and clang 16
EMPTY = "newer compilers take an array of 0 elements for one that has none"

_KFUNC = "__bpf_kfunc"
# A member of what programs get (include/uapi/linux/bpf.h)
_CONTEXT = "__bpf_md_ptr"
# include/linux/build_bug.h, compiler_types.h, compiler.h, typecheck.h
ASSERTS = re.compile(
    r"_*[sS]tatic_assert|BUILD_BUG(?:_ON\w*)?|_*compiletime_(?:assert|error|warning)\w*|ASSERT_STRUCT_\w+"
    r"|_*typecheck\w*|__must_be_\w+"
)
# A constant with its value, and what is no member
_CONSTANT = re.compile(r"\bconst \w[\w ]*?\b(\w+) = ([^;,{}]+)")
_NO_MEMBER = re.compile(r"(?<!\. )(?<!-> )\b[A-Za-z_]\w*")
_SAFE = re.compile(r"BTF_TYPE_SAFE_\w+")
# kernel/bpf/bpf_struct_ops.c: of the functions that stand for operations of BPF programs
_STUB = re.compile(r"\w+__(?:nullable|ref)")
# void (*)(void *): a type without a name
_ABSTRACT = re.compile(r"\( \* \) \(")
# What a condition in brackets follows
_CONDITION = frozenset("if while for switch".split())


class Declared(NamedTuple):
    """A place of one side, what the other side would need for the same meaning, and why."""

    token: Token
    key: str
    reason: str


def declared(own: Text, other: Text, after: bool) -> Iterator[tuple[Token, str]]:
    """The places of one side's text that mean something else to others than on the other side, and why.

    What is gone of a cast, or of an array of 0 elements, is none.
    """
    both = [{piece.function for piece in text.pieces.all} for text in (own, other)]
    functions = both[0] & both[1]
    theirs = {each.key for each in _all(other, functions)}
    for each in _all(own, functions):
        if each.key not in theirs and (after or each.reason not in (CAST, EMPTY)):
            yield each.token, each.reason


def _all(text: Text, functions: Set[str]) -> Iterator[Declared]:
    for token in text.tokens:
        if token.kind == DIRECTIVE:
            inside = tokenize(token.text.replace("#", " ", 1))
            yield from (Declared(token, said, ASSERTED) for _, said in _asserts(inside))
    code = text.code
    asserts = [*_asserts(code)]
    values = _values(text) if asserts else {}
    for token, said in asserts:
        used = closure([said], lambda s: _NO_MEMBER.findall(values.get(s, s)))
        named = sorted(f"{n} = {values[n]}" for n in used if n in values)
        yield Declared(token, "; ".join([said, *named]), ASSERTED)
    for at, token in enumerate(code):
        if token.text == "(":
            yield from _cast(code, at, functions)
        elif token.text == _KFUNC:
            yield from _kfunc(code, at)
        elif token.text == _CONTEXT:
            inside = code[at : (closing(code, at + 1) or at) + 1]
            yield Declared(token, _joined(inside), VERIFIER)
        elif _STUB.fullmatch(token.text):
            yield Declared(token, token.text, VERIFIER)
        elif token.text == "[" and _joined(code[at : at + 4]) == "[ 0 ] ;":
            # No statement begins with two names.
            if at > 1 and code[at - 2].kind == NAME and code[at - 2].text != "return":
                yield Declared(token, f"{code[at - 1].text}[0]", EMPTY)
        elif _SAFE.fullmatch(token.text):
            yield from _safe(code, at)


def _values(text: Text) -> dict[str, str]:
    """The values of macros, enumerators and constants of a file, for assertions that name them."""
    found = dict(_CONSTANT.findall(_joined(text.code)))
    for name, (base, number) in enumerators(text.code).items():
        found[name] = f"{' '.join(base)} + {number}"
    for token in text.tokens:
        said = words([token]) if token.kind == DIRECTIVE else []
        if said[:1] == ["define"]:
            found[said[1]] = " ".join(said[2:])
    return found


def _asserts(code: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    """The compile-time assertions of a text, with their conditions."""
    for at, token in enumerate(code):
        if ASSERTS.fullmatch(token.text):
            yield token, _joined(code[at : closing(code, at + 1)])


def _cast(code: Sequence[Token], at: int, functions: Set[str]) -> Iterator[Declared]:
    """A function that is cast to another type of function, which may be a typedef, or to a pointer to anything."""
    end = closing(code, at)
    if end is None or at and code[at - 1].text in _CONDITION:
        return
    inside, after = code[at + 1 : end], code[end + 1 : end + 4]
    if after and after[0].text == "&":
        after = after[1:]
    if len(after) < 2 or after[0].kind != NAME or after[1].text == "(":
        return
    said = _joined(inside)
    typedef = len(inside) == 1 and inside[0].kind == NAME
    hides = (typedef or said == "void *") and after[0].text in functions
    if hides or _ABSTRACT.search(said):
        yield Declared(code[at], f"{said} {after[0].text}", CAST)


def _kfunc(code: Sequence[Token], at: int) -> Iterator[Declared]:
    """A function that programs of BPF call, with its types, and the parameters whose names say what they are."""
    opening = next((n for n in range(at, len(code)) if code[n].text == "("), None)
    end = None if opening is None else closing(code, opening)
    if opening is None or end is None:
        return
    said = code[at : end + 1]
    names = {a.start for a, b in zip(said, said[1:]) if b.text in (",", ")")}
    kept = [t for t in said if t.start not in names or "__" in t.text or t.text == "*"]
    yield Declared(code[opening - 1], _joined(kept), VERIFIER)


def _safe(code: Sequence[Token], at: int) -> Iterator[Declared]:
    """The members of a type that the verifier trusts."""
    end = next((n for n in range(at, len(code)) if code[n].text == "}"), at)
    yield Declared(code[at], _joined(code[at:end]), VERIFIER)


# include/linux/compiler_types.h, compiler_attributes.h, compiler-context-analysis.h. Later compilers check bounds by
# __counted_by(), and with LTO __visible keeps a function.
DROPPED = "{} is for sparse, warnings or other builds, and not compared"

_PLAIN = re.compile(
    r"__(?:user|iomem|percpu|rcu|bitwise|kernel|nocast|safe|private|must_check|visible|nonstring"
    r"|returns_nonnull|designated_init|deprecated|releases|acquires|context_unsafe|(?:maybe|always)_unused)"
)
_CALLED = re.compile(
    r"__(?:printf|scanf|nonnull|acquires\w*|releases\w*|must_hold\w*|cond_acquires\w*"
    r"|counted_by\w*|sized_by\w*|(?:pt_)?guarded_by|access)"
)
# These without their macros
_SPELLED = (
    (re.compile(r"_*format_* \( _*(printf|scanf)_* , (\d+ , \d+ \))"), r"__\1 ( \2"),
    (re.compile(r"_*warn_unused_result_*"), "__must_check"),
)
# What ends a declaration, a parameter or the type of a cast
_ENDS = frozenset("; { } ( ) , =".split())


class _Part(NamedTuple):
    """A declaration, a parameter or a type, without its name and the annotations that it has."""

    text: str
    name: str
    annotations: tuple[tuple[str, Token], ...]


def known_to_users(
    own: Text, other: Text, changed: Sequence[Token]
) -> Iterator[tuple[Token, str]]:
    """The changed names of a header for user space that its other side has less often."""
    gone = Counter(words(own.tokens)) - Counter(words(other.tokens))
    for token in changed:
        if any(word.isidentifier() for word in words([token]) if word in gone):
            yield token, USERS


def dropped(own: Text, other: Text) -> Iterator[tuple[Token, str]]:
    """The annotations that the ``other`` text has less often, though all that had them is still there, by type or name."""
    sides = [list(_parts(text.code)) for text in (own, other)]
    # Another declaration of the type may be gone, or this one may have another name.
    for length in (1, 2):
        texts = [Counter(part[:length] for part in side) for side in sides]
        said = [
            Counter((*part[:length], what) for part in side for what, _ in part[-1])
            for side in sides
        ]
        lost = said[0] - said[1]
        for part in sides[0]:
            if texts[0][part[:length]] <= texts[1][part[:length]]:
                for what, token in part.annotations:
                    if (*part[:length], what) in lost:
                        yield token, DROPPED.format(token.text)


def _parts(code: Sequence[Token]) -> Iterator[_Part]:
    """The parts of declarations, and for each in brackets what follows them: ``f(...) __must_check``."""
    words, annotations = list[str](), list[tuple[str, Token]]()
    opened, closed = list[_Part](), None
    at = 0
    while at < len(code):
        token, annotation = code[at], _annotation(code, at)
        if annotation:
            said, at = annotation
            annotations.append((said, token))
        elif token.text in _ENDS:
            named = words[1:] and re.fullmatch(r"\w+", words[-1])
            name = words.pop() if named else ""
            part = _Part(" ".join(words), name, tuple(annotations))
            if closed and not words and not name:
                part = part._replace(text=f"{closed.text} ()", name=closed.name)
            if part.text or part.annotations:
                yield part
            if token.text == "(":
                opened.append(part)
            closed = opened.pop() if token.text == ")" and opened else None
            words, annotations = [], []
        else:
            words.append(token.text)
        at += 1


def _annotation(code: Sequence[Token], at: int) -> tuple[str, int] | None:
    """The annotation that begins here, and its last token; None if there is none."""
    name = code[at].text
    called = [t.text for t in code[at + 1 : at + 2]] == ["("]
    end = closing(code, at + 1) if called else None
    if name == "__attribute__" and end is not None:
        attribute = _joined(code[at + 3 : end - 1])
        several = ((p.fullmatch(attribute), macro) for p, macro in _SPELLED)
        return next(((f.expand(macro), end) for f, macro in several if f), None)
    if end is not None and _CALLED.fullmatch(name):
        return _joined(code[at : end + 1]), end
    return (name, at) if _PLAIN.fullmatch(name) else None


def _joined(code: Sequence[Token]) -> str:
    return " ".join(token.text for token in code)


def positional(own: Text, other: Text) -> Iterator[tuple[Token, str]]:
    """The initialisers of structures by the order of members, if there are more of them than on the other side."""
    found, there = ([*_positional(text.tokens)] for text in (own, other))
    for token in found if len(found) > len(there) else ():
        yield token, POSITIONAL


def _positional(code: Sequence[Token]) -> Iterator[Token]:
    for at in range(3, len(code) - 2):
        kind, name, before, token, first, then = (t.text for t in code[at - 3 : at + 3])
        literal = before == ")" and kind in ("struct", "union")
        if token == "{" and (literal or before == "=" and name != "]"):
            if first not in (".", "[", "}", "{") and (first, then) != ("0", "}"):
                yield code[at + 1]


BOUND = "{} bounds it (__counted_by), and is set later than before"


def bounded(
    own: Sequence[Token], other: Sequence[Token]
) -> Iterator[tuple[Token, str]]:
    """The members that a function uses before it sets another one, and did not on the other side, with that one."""
    was = _before(other)
    for name, used in _before(own).items():
        known = {token.text for token in was.get(name, used)}
        yield from ((token, name) for token in used if token.text not in known)


def _before(code: Sequence[Token]) -> dict[str, list[Token]]:
    """By each member that is set, the members that are used before."""
    used, found = list[Token](), dict[str, list[Token]]()
    for at, token in enumerate(code[:-1]):
        if token.kind == NAME and is_member(code, at):
            if code[at + 1].text == "=":
                found.setdefault(token.text, [*used])
            used.append(token)
    return found


_TYPES = r"phys_addr_t|dma_addr_t|resource_size_t"
_DECLARED = re.compile(rf"\b(?:{_TYPES})\b[\s*]+(\w+)")
# A member, or a function; parameters of other functions are none of ours
_SHARED = re.compile(rf"{_DECLARED.pattern}(?=\s*[;(\[])")
_WIDTH = re.compile(
    r"\w*long\w*|(?!\d)\w*64\w*|s?size_t|u?intptr_t|loff_t|sector_t|\d\w*[lL][uU]?"
)
# What follows the name of a variable in its declaration
_AFTER = frozenset("; , = [".split())


def beside_wider(
    text: Text, changed: Sequence[Token], preprocessed: Callable[[], str]
) -> Iterator[tuple[Token, str]]:
    """The changed words of width in statements with such values, and in declarations of variables that get them.

    ``preprocessed`` gives the text after the preprocessor, which has the declarations of headers.
    """
    words = {
        token.start
        for token in changed
        if token.kind in (NAME, NUMBER) and _WIDTH.fullmatch(token.text)
    }
    if not words:
        return
    code = text.code
    own = _DECLARED.findall(" ".join(token.text for token in code))
    wide = frozenset([*own, *_SHARED.findall(preprocessed())])
    for at, token in enumerate(code):
        if token.start in words:
            statement = _statement(code, at)
            if wide & _names(statement) or _meets(code, at, statement, wide):
                yield token, WIDER


def _statement(code: Sequence[Token], at: int) -> Sequence[Token]:
    return code[max(edge(code, at, -1), 0) : edge(code, at, 1) + 1]


def _names(code: Sequence[Token]) -> set[str]:
    return {token.text for token in code if token.kind == NAME}


def _meets(
    code: Sequence[Token], at: int, statement: Sequence[Token], wide: frozenset[str]
) -> bool:
    """Whether a variable that a statement declares is in another statement of its function with such a value."""
    variables = {
        name.text
        for before, name, after in zip(statement, statement[1:], statement[2:])
        if name.kind == NAME and after.text in _AFTER
        if before.kind == NAME or before.text in ("*", ",")
    }
    depth, n = 0, at
    while n < len(code) and depth >= 0:
        depth += (code[n].text == "{") - (code[n].text == "}")
        if code[n].text in variables and wide & _names(_statement(code, n)):
            return True
        n += 1
    return False
