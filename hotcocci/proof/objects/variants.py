# SPDX-License-Identifier: GPL-2.0
"""Compile a changed file otherwise than the kernel is, to see what is the same only as it is.

With structures laid out as no architecture does it, a number in the place of a size or an offset is another number:
i386 and m68k align an u64 to less than its size, and options add members. So a preprocessed file is compiled once more
with holes in structures, and members that are aligned to two bytes at most, as on m68k.

Local variables without a value get one that nobody knows: gcc takes for them whatever makes the code shorter, and an
initialiser that a change drops may have been that. Nothing in the machine code shows it, nor does a warning, nor
-ftrivial-auto-var-init: gcc merges such values before it looks for them.

Loads are left where they are written: gcc may move one past the check of its pointer, and other compilers need not.
"""

import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial

from hotcocci.c.flow import closure
from hotcocci.c.source import (
    DIRECTIVE,
    NAME,
    NUMBER,
    WORD,
    Token,
    apply,
    closing,
    closing_at,
    is_member,
    split,
    tokenize,
)
from hotcocci.findings import Edit
from hotcocci.proof.changed import SIZE, Aligned, Text, passed_sizes, sizes_in
from hotcocci.proof.objects.conditional import functions
from hotcocci.proof.objects.varying import Definitions


@dataclass(frozen=True)
class Variant:
    """Another way to compile a file: with further flags, with other ``texts``, or a preprocessed text that is ``rewritten``.

    Compile-time assertions say nothing there (`unbound`). What is the same only as the kernel is compiled is not proven,
    for the reason ``why``.
    """

    why: str
    flags: tuple[str, ...] = ()
    rewritten: Callable[[str], str] = str
    texts: tuple[str, str] | None = None


LAID_OUT = (
    "a size or the place of a member may be another number, or a type another one, on another architecture,"
    " or in another configuration"
)
_PACKED = "-fpack-struct=2"
# Numbers that are rather a truth, a step or the first of something
SMALL = frozenset("0 1".split())
_SIZES = re.compile(r"offsetof\w*|_*alignof\w*|\w*container\w*|\w*_entry")
# What accesses all members, also those that an option adds, in four tokens
_WHOLE = re.compile(
    r"mem(?:set|cpy|cmp|move|dup)\w*\(|k\w*alloc\w*\(|swap\(\*|={[0}]|[;{}]\*\w+=|=\*\w+;"
)
COMPARISONS = frozenset("== != < > <= >=".split())
_TESTS = frozenset("if ? && ||".split())
_STRUCTURE = re.compile(
    r"(?:struct|union)\s+(?:__attribute__\s*\(\([^;{}]*?\)\)\s*)*(\w+)\s*\{"
)
# One without a name is known by its members; those with one member, as kuid_t, are passed in registers.
_UNNAMED = re.compile(r"typedef\s+struct\s*\{(?=([^{}]*;[^{}]*;[^{}]*))")
_BEGINS = frozenset("; { } ( , const static".split())
# User space knows the structures of some files.
_FILES = re.compile(r"^(?=# \d)", re.MULTILINE)
# Unnamed bit-fields take no part in initialisers. Structures have different numbers of them.
_HOLE, _MOST = " unsigned long long : 64;", 13
# Those whose places are known to assembly, to us (compare_calls.py), or that begin with the current task
_KEPT = frozenset("bug_entry pi_entry pcpu_hot list_head hlist_head hlist_node".split())
# What insists on sizes and constants: _Static_assert(), BUILD_BUG_ON(), functions that must not be called, and an alignment
_INSISTS = (
    (re.compile(r"_Static_assert\s*\("), "_Static_assert(1 || "),
    (re.compile(r"\bint\s*:\s*\(-!!\("), "int:(-!!(0 && "),
    # An array of -1 elements (uapi/linux/vbox_vmmdev_types.h, rdma/uverbs_types.h, sound/pci/asihpi)
    (re.compile(r"\[\s*1\s*-\s*2\s*\*\s*!!"), "[1 - 0 * !!"),
    (re.compile(r"\?\s*1\s*:\s*-\s*1\s*\]"), "? 1 : 1]"),
    (re.compile(r"__compiletime_assert_\d+\s*\(\s*\)"), "(void)0"),
    (re.compile(r"__error__\s*\("), "__warning__("),
    # char pad[64 - sizeof(struct x)];
    (re.compile(r"\[[^][;{}\n]*-\s*\(?\s*sizeof\b[^][;{}\n]*\]\s*;"), "[64];"),
    (re.compile(r"__aligned__\s*\(\s*sizeof\b[^;]*?\)\s*\)"), "__aligned__(8)"),
)


# For an integer, one with another width
WIDTH = (
    "__typeof__(__builtin_choose_expr(__builtin_classify_type(*({0} *)0) != 1, *({0} *)0,"
    " __builtin_choose_expr(sizeof({0}) == 8, 0U, 0ULL)))"
)
_INTEGER = re.compile(
    r"\b(?:(?:unsigned|signed|long|short|int|char)\b\s*)+|\b(?:\w+_t|(?:__)?(?:[us]|[bl]e)\d+)\b"
)
_UNION = re.compile(r"\bunion\b[^;{}()]*\{")
_MEMBER = re.compile(r"\b(\w+)\s*(?=[;,:[])")


def retyped(text: str, types: Mapping[str, Mapping[str, bool]]) -> str:
    """A preprocessed file with other integers in declarations of these variables, members and functions, by file.

    An array that is also declared as a pointer is one.
    """
    parts = _FILES.split(text)
    for number, part in enumerate(parts):
        file = part.partition("\n")[0].partition('"')[2].partition('"')[0]
        names = types.get(os.path.basename(file))
        if names:
            either = "|".join(sorted(names))
            declared = rf"(?m)^([ \t]*\w[\w \t*]*[ \t*])({either})\b([^;{{}}=\n]*;)"
            parts[number] = re.sub(declared, partial(_widened, names), part)
    return "".join(parts)


def _widened(names: Mapping[str, bool], found: re.Match[str]) -> str:
    if names[found[2]] and found[3].startswith("["):
        return f"{found[1]}*{found[2]}{found[3][found[3].rindex(']') + 1 :]}"
    before, after = (
        _INTEGER.sub(lambda kind: f"{WIDTH.format(kind[0].strip())} ", each)
        for each in (found[1], found[3])
    )
    return f"{before}{found[2]}{after}"


def apart(text: str, names: Set[str]) -> str:
    """A preprocessed file in which no two of these members are in one place of a union that has them as alternatives."""
    edits = list[Edit]()
    for union in _UNION.finditer(text):
        end = closing_at(text, union.end() - 1)
        if end is None or len(names & {*_MEMBER.findall(text, union.end(), end)}) < 2:
            continue
        parts = [
            (part[0].start, part[-1].end)
            for part in split(_code(text, union.end(), end), ";")
            if part
        ]
        # An option moves members of structures; others of one alternative have no order.
        members = {
            text[a:b]: frozenset(names & {*_MEMBER.findall(text, a, b + 1)})
            for a, b in parts
        }
        several = len({*members.values()} - {frozenset()}) > 1
        if any(
            several if "struct" in said else len(each) > 1
            for said, each in members.items()
            if each
        ):
            for number, (a, b) in enumerate(parts, 1):
                edits.append(Edit(a, a, f"struct {{{_HOLE * number} "))
                edits.append(Edit(b + 1, b + 1, " };"))
    return apply(text, tuple(sorted(edits, key=lambda edit: edit.start)))


def _code(text: str, start: int, end: int) -> list[Token]:
    """The tokens of a part of a preprocessed text without what says which lines these are."""
    return [t for t in tokenize(text, start, end) if t.kind != DIRECTIVE]


def _addressed(given: Aligned) -> set[str]:
    """The members of which a change takes, or no longer takes, an address: what is beside one depends on the layout."""
    counted = list[Counter[str]]()
    for text in given.sides:
        code = [t for t in text.tokens if text.function(t) in given.functions]
        counted.append(
            Counter(filter(None, map(partial(_member_at, code), range(len(code)))))
        )
    old, new = counted
    return {*(old - new), *(new - old)}


def _member_at(code: Sequence[Token], at: int) -> str:
    """The last member of p->a.b in &p->a.b; empty if no address is taken."""
    if code[at].text != "&" or code[at - 1].kind == NAME or code[at - 1].text == "]":
        return ""
    end = at + 1
    while _is(code, end + 1, "->") or _is(code, end + 1, "."):
        end += 2
    return code[end].text if end > at + 1 and not _is(code, end + 1, "[") else ""


def lone(text: str, names: Set[str]) -> str:
    """A preprocessed file with a hole on both sides of members of structures with these names."""
    edits = set[int]()
    for found in _STRUCTURE.finditer(text):
        end = closing_at(text, found.end() - 1)
        if end is None or found[1] in _KEPT:
            continue
        if names.isdisjoint(WORD.findall(text, found.end(), end)):
            continue
        for part in split(_code(text, found.end(), end), ";"):
            if (
                part
                and part[-1].text in names
                and not any(t.text in "{:," for t in part)
            ):
                edits |= {part[0].start, text.index(";", part[-1].end) + 1}
    return apply(text, tuple(Edit(at, at, _HOLE) for at in sorted(edits)))


def spread(text: str) -> str:
    """A preprocessed file with a hole at the beginning of each structure that has a name, if only by typedef."""
    return _for_kernel(
        text, lambda own: _STRUCTURE.sub(_with_hole, _UNNAMED.sub(_with_hole, own))
    )


def _for_kernel(text: str, rewritten: Callable[[str], str]) -> str:
    """A preprocessed file with the parts that user space does not know rewritten."""
    return "".join(
        part if "/uapi/" in part.partition("\n")[0] else rewritten(part)
        for part in _FILES.split(text)
    )


def unbound(text: str) -> str:
    """A preprocessed file in which nothing insists on sizes, or on other constants."""
    for pattern, instead in _INSISTS:
        text = pattern.sub(instead, text)
    return text


def _with_hole(found: re.Match[str]) -> str:
    holes = 1 + zlib.crc32(found[1].encode()) % _MOST
    return found[0] + _HOLE * (holes if found[1] not in _KEPT else 0)


ASKED = (
    "it is other code where a value is a constant, or the size of an object is known"
)
_ASKS = re.compile(r"__builtin_(?:constant_p|(?:dynamic_)?object_size)\s*\(")
# Another number each time
_COUNTED = re.compile(r"(__UNIQUE_ID_\w*?)\d+\b")
_ANSWER = "({{ extern unsigned long hotcocci_asked(unsigned); hotcocci_asked({}U); }})"


def asked(text: str, names: Collection[str]) -> str:
    """A preprocessed file in which nobody knows what these functions, and those that they call, ask of the compiler.

    What it answers depends on the code that they are inlined in. The same text is the same question.
    """
    known = functions(text)
    bodies = dict[str, tuple[int, int]]()

    def called(name: str) -> Iterator[str]:
        start = known[name].end() - 1
        bodies[name] = start, closing_at(text, start) or start
        return (word for word in WORD.findall(text, *bodies[name]) if word in known)

    closure((name for name in names if name in known), called)
    edits, last = list[Edit](), 0
    for start, end in sorted(bodies.values()):
        for found in _ASKS.finditer(text, start, end):
            if found.start() >= last:
                code = tokenize(text, found.start(), end)
                code = code[: (closing(code, 1) or 0) + 1]
                last = code[-1].end
                said = _COUNTED.sub(r"\1", " ".join(token.text for token in code))
                answer = _ANSWER.format(zlib.crc32(said.encode()))
                edits.append(Edit(found.start(), last, answer))
    return apply(text, tuple(edits))


def depends(given: Aligned) -> bool:
    """Whether a change has sizes, casts, numbers, whole objects or structures on one side that the other one has not, or is beside sizes."""
    tokens = [text.tokens for text in given.sides]
    if any(map(_beside_sizes, given.sides, given.changed)):
        return True
    sizes = [Counter(passed_sizes(each)) for each in tokens]
    gone, come = ({name for name, _ in a - b} for a, b in (sizes, sizes[::-1]))
    # A call gets the size of another argument.
    if gone & come:
        return True
    if any(_untested(*given.sides, name) for name in given.functions):
        return True
    sides = [Counter(_said(each)) for each in tokens]
    # One structure, or pointer to a type with a name, in the place of another
    tags = [
        Counter(
            b.text
            for a, b, c in zip(each, each[1:], each[2:])
            if a.text == "struct" or a.text in _BEGINS and b.kind + c.text == NAME + "*"
        )
        for each in tokens
    ]
    return sides[0] != sides[1] or bool(tags[0] - tags[1] and tags[1] - tags[0])


def _beside_sizes(text: Text, changed: Sequence[Token]) -> bool:
    """Whether a function with changed names has sizes and numbers, which may be in variables."""
    names = {text.function(t) for t in changed if t.kind == NAME} - {""}
    own = [t for t in text.tokens if text.function(t) in names]
    sizes = {*sizes_in(own)}
    numbers = {t.text for t in own if t.kind == NUMBER} - SMALL
    return bool(sizes) and len(sizes | numbers) > 1


def _untested(old: Text, new: Text, name: str) -> bool:
    """Whether a function with a test more, which may be one of NULL, has places of members: none need be 0."""
    sides = [
        [t for t in text.tokens if text.function(t) == name] for text in (old, new)
    ]
    tests = [sum(t.text in _TESTS for t in side) for side in sides]
    return tests[0] != tests[1] and any(map(_places, sides))


def _places(code: Sequence[Token]) -> bool:
    """Whether code has the address of a member, or the object that one is of."""
    return any(
        b.kind == NAME
        and (
            _SIZES.fullmatch(b.text) is not None
            or a.text == "&"
            and c.text == "->"
            and (
                before.text == "return"
                or before.kind != NAME
                and before.text not in ")]"
            )
        )
        for before, a, b, c in zip(code, code[1:], code[2:], code[3:])
    )


def compared(own: Text, other: Text) -> Iterator[tuple[Token, str]]:
    """The sizes that are compared with a constant, and are not so on the other side: here they come out one way."""
    mine, theirs = (list(_compared(text.tokens)) for text in (own, other))
    more = Counter(what for _, what in mine) - Counter(what for _, what in theirs)
    yield from ((token, LAID_OUT) for token, what in mine if what in more)


def _compared(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    for at, token in enumerate(tokens[:-1]):
        if token.text == SIZE and tokens[at + 1].text == "(":
            end = (closing(tokens, at + 1) or at) + 1
            beside = ((at - 1, at - 2), (end, end + 1))
            if any(
                0 <= operand < len(tokens)
                and tokens[operator].text in COMPARISONS
                and (tokens[operand].kind == NUMBER or tokens[operand].text == SIZE)
                for operator, operand in beside
            ):
                yield token, "".join(t.text for t in tokens[at:end])


def _said(tokens: Sequence[Token]) -> Iterator[str]:
    yield from sizes_in(tokens)
    for at, token in enumerate(tokens):
        if token.kind == DIRECTIVE:
            yield from _said(tokenize(token.text.replace("#", " ", 1)))
            continue
        opening = 0
        if token.text == "struct":
            opening = next((n for n in (at + 1, at + 2) if _is(tokens, n, "{")), 0)
        elif token.kind == NAME and _SIZES.fullmatch(token.text):
            opening = at + 1
        elif whole := _WHOLE.search("".join(t.text for t in tokens[at : at + 4])):
            yield whole[0]
        if opening:
            bracket = _is(tokens, opening, "(") or _is(tokens, opening, "{")
            end = closing(tokens, opening) if bracket else None
            yield " ".join(t.text for t in tokens[at : (end or opening) + 1])
        elif token.kind == NUMBER and token.text not in SMALL:
            yield token.text
        elif token.text == "*" and _is(tokens, at + 1, ")"):
            first = at
            while first and tokens[first - 1].kind == NAME:
                first -= 1
            kind = " ".join(t.text for t in tokens[first : at + 1])
            if "void" not in kind:
                yield kind


def _is(tokens: Sequence[Token], at: int, text: str) -> bool:
    return at < len(tokens) and tokens[at].text == text


UNSET = "a local variable may be used without a value"

_VALUE = "hotcocci_unset"
_DECLARATION = f"extern char {_VALUE}[];\n"
# What sets a variable, or leads past what sets it
_SETS = frozenset("= goto break continue if else case default while for && ||".split())
# What begins no declaration of a local variable without a value
_NO_TYPE = frozenset(
    "return goto case else default break continue static extern typedef register do".split()
)
_BEFORE = frozenset(";{}")
# Attributes of variables behind their names, beside those with brackets, as __free(kfree)
_ATTRIBUTE = re.compile(r"_+\w*(?:unused|used|aligned\w*|packed|private|nonstring)")
_RECORDS = frozenset("struct union enum".split())


def filled(given: Aligned) -> Variant | None:
    """The compilation of a change that assigns variables, or skips it, if some have no value at first; else None."""
    if not given.words & _SETS:
        return None
    names = given.functions
    unset = {
        token.text
        for text in given.sides
        for header, end in _bodies(text.text, names)
        for token in _unset(tokenize(text.text, header, end))
    }
    rewritten = partial(_filled, names=names, variables=unset)
    return Variant(UNSET, (), rewritten) if unset else None


def _filled(text: str, names: Set[str], variables: Set[str]) -> str:
    """A preprocessed file in which these variables of functions are set where they are declared."""
    edits = [Edit(0, 0, _DECLARATION)]
    for start, end in _bodies(text, names):
        code = tokenize(text, start, end)
        for token in _unset(code):
            if token.text in variables:
                after = text.index(";", token.end) + 1
                name = token.text
                fill = f" __builtin_memcpy(&{name}, {_VALUE}, sizeof({name}));"
                edits.append(Edit(after, after, fill))
    return apply(text, tuple(edits))


def _bodies(text: str, names: Set[str]) -> Iterator[tuple[int, int]]:
    """The start and end of the body of each of these functions."""
    found = functions(text)
    for name in names & found.keys():
        start = found[name].end() - 1
        end = closing_at(text, start)
        if end is not None:
            yield start, end


def _unset(code: Sequence[Token]) -> Iterator[Token]:
    """The names of the variables that a function's body declares without a value."""
    code = [token for token in code if token.kind != DIRECTIVE]
    statement: list[Token] = []
    at = 0
    while at < len(code):
        token = code[at]
        if token.text == "{" and any(t.text in _RECORDS for t in statement[-2:]):
            # Members are no variables.
            at = closing(code, at) or at
        elif token.text in _BEFORE:
            if token.text == ";":
                yield from _declared(statement)
            statement = []
        else:
            statement.append(token)
        at += 1


def _declared(statement: Sequence[Token]) -> Iterator[Token]:
    words = [token for token in statement[:2] if token.kind == NAME]
    starred = [token.text for token in statement[1:2]] == ["*"]
    if not words or words[0].text in _NO_TYPE or len(words) < 2 and not starred:
        return
    for part in split(tuple(_without_attributes(statement)), ","):
        texts = [token.text for token in part]
        end = texts.index("[") if "[" in texts else len(texts)
        if not {"=", "("} & set(texts) and part[end - 1].kind == NAME:
            yield part[end - 1]


def _without_attributes(statement: Sequence[Token]) -> Iterator[Token]:
    at = 0
    while at < len(statement):
        text = statement[at].text
        if text.startswith("__") and _is(statement, at + 1, "("):
            at = closing(statement, at + 1) or at
        elif not _ATTRIBUTE.fullmatch(text):
            yield statement[at]
        at += 1


EARLY = "it may use a pointer or an index that is checked later"
# gcc moves loads to where their values are used, past such a check.
AS_WRITTEN = Variant(EARLY, ("-fno-tree-sink",))
_LOADS = _SETS | frozenset("-> [ * return".split())


def variants(given: Aligned, definitions: Definitions) -> Iterator[Variant]:
    """The other ways to compile a change that may show a difference; ``definitions`` are those that its new side sees."""
    names = given.names - {p.function for text in given.sides for p in text.pieces.all}
    members = {
        token.text
        for text in given.sides
        for at, token in enumerate(text.tokens)
        if token.text in names and is_member(text.tokens, at)
    }
    types = definitions.declared_otherwise(names)

    spreads = depends(given)
    addressed = _addressed(given)

    def otherwise(text: str) -> str:
        text = apart(retyped(spread(text) if spreads else text, types), members)
        if not addressed:
            return text
        return _for_kernel(text, partial(lone, names=addressed))

    if spreads or otherwise(definitions.text) != definitions.text:
        yield Variant(LAID_OUT, (_PACKED,) if spreads else (), otherwise)
    if given.words & _LOADS:
        yield AS_WRITTEN
    unset = filled(given)
    if unset is not None:
        yield unset
