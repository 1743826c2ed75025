# SPDX-License-Identifier: GPL-2.0
"""Find functions that are not alike elsewhere, whatever a comparison says.

Some access a word where the other side accesses a part of it. Which part that is depends on the byte
order, and no comparison has 64 bits in the other one, as s390 has. Machine code does not tell: compilers shorten loads.
But in gcc's last form before machine code (-fdump-tree-optimized) every access has its type still, whether it was
written as a cast, a member of a union, a memcpy(), or a variable of another type. What is a part of a local variable,
which gcc folds, is in an earlier form (-fdump-tree-fre1).

In others a memset() of a structure, or an empty initialiser, becomes one with members, which need not clear what is
between them. This gcc clears that, too, if it clears the structure first. Others need not: gcc 15 initialises a member
of a union alone, and kernels ask it for more with -fzero-init-padding-bits=all. Only an empty one clears all (C23).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from hotcocci.c.model import integer
from hotcocci.c.flow import closure
from hotcocci.c.source import WORD, Token, arguments_in, closing, is_member
from hotcocci.machine.dwarf import (
    RECORDS,
    bare,
    members,
    name_of,
    origin,
    size_of,
    type_of,
    variables,
)
from hotcocci.machine.elf import ObjectFile
from hotcocci.proof.changed import Aligned, Text
from hotcocci.proof.known import IGNORED, PURE
from hotcocci.proof.objects.compiled import FOLDED, Compilation, CompiledUnit
from hotcocci.proof.objects.idle import nested

UNORDERED = "C leaves open whether {} or {} is evaluated first"
HALVES = (
    "one side has more accesses of one size and fewer of another:"
    " which part of a word these are depends on the byte order"
)
PADDING = "an initialiser need not clear what is between and behind members"
_ARRAY = "DW_TAG_array_type"
LONG, _HALF = 8, 4
_ASSIGNED = re.compile(
    r"^ *\[(?P<file>[^]\n]+?):(?P<line>\d+):\d+(?: discrim \d+)?\] (?P<left>[^=\n]+?) = (?P<right>[^=\n]+);$",
    re.MULTILINE,
)
# MEM <unsigned int> [(char * {ref-all})p_2(D)]
_TYPED = re.compile(r"^MEM <([^<>]*)> \[")
_MEMORY = re.compile(
    r"^(?:MEM\b|\*|[A-Za-z_][\w.$]*(?:\[|\.|->|$)|[\w.$]+(?:\(D\))?->)"
)
_FUNCTION = re.compile(r"^;; Function ", re.MULTILINE)
_HEADER = re.compile(
    r"^(?:__attribute__.*\n)?\S.*?\w \((?P<parameters>.*)\)\n\{", re.MULTILINE
)
_DECLARED = re.compile(
    r"^  (?!\[|return )(?P<type>[^=\n]*?[ *])(?P<name>[\w.]+);$", re.MULTILINE
)
# [a.c:5:10] x_10 = other (k_8(D), 5, _4); gcc names the value of a condition iftmp.1.
_CALL = re.compile(
    r"^ *\[(?P<file>[^]\n]+?):(?P<line>\d+):\d+(?: discrim \d+)?\] "
    r"(?:[^=\n]*? = )?(?P<callee>[\w.]+(?:\(D\))?) \((?P<arguments>.*)\);",
    re.MULTILINE,
)
_PLACE = re.compile(r"\[[^][]*:\d+:\d+(?: discrim \d+)?\] ")
_SSA = re.compile(r"^(?P<base>[\w.]*?)_(?P<version>\d+)(?:\(D\))?$")
# [a.c:5:10] x_10 ={v} [a.c:5:12] *v_9; what is stored is there before, so a store is in order.
_ACTS = re.compile(
    r"^ *\[(?P<file>[^]\n]+?):(?P<at>\d+:\d+)(?: discrim \d+)?\] (?:(?P<asm>__asm__ __volatile__)"
    r"|(?:[^=\n]*? = )?(?P<callee>[\w.]+(?:\(D\))?) \("
    r"|(?P<name>[\w.]*_\d+) =(?P<volatile>\{v\})? (?:\[[^]\n]+?:(?P<inner>\d+:\d+)(?: discrim \d+)?\] )?(?P<memory>[^\n;]+);$)",
    re.MULTILINE,
)
# p_4, p_4 + 8B
_COMPUTED = re.compile(r"(?!MEM\b)[\w.]+(?:\(D\))? |[\w.]*_\d+(?:\(D\))?$")
# limit, p_4(D)->limit
_SIMPLE = re.compile(r"^(?:.*(?:->|\.))?([A-Za-z_]\w*)$")
# In a function that may be inlined: a volatile asm statement or access
_EFFECT = re.compile(r"__asm__ __volatile__|=\{v\} ")
# Of asm statements; no memory
_REGISTER = re.compile(r"^  register .*?(\w+) __asm__", re.MULTILINE)
Place = tuple[str, int]
# How many accesses of how many bytes there are
Accesses = Mapping[Place, Counter[int]]


def unlike(how: Compilation, unit: CompiledUnit) -> Iterator[tuple[str, str]]:
    """The functions that are not alike elsewhere, and why."""
    given = how.changed.aligned
    for function in _cleared(given, unit.sides[1]):
        yield function, PADDING
    made = [body for side in (0, 1) for body in _bodies(how.dump(side)).values()]
    known = {call["callee"] for body in made for call in _CALL.finditer(body)} - PURE
    # Inlined, but the order shows: readl(), and inb(), which is a macro for __inb().
    early = [_bodies(how.dump(side, FOLDED)) for side in (0, 1)]
    shown = {n for each in early for n, body in each.items() if _EFFECT.search(body)}
    known |= shown.union(name.lstrip("_") for name in shown)
    old, new = (
        _unordered(text, known, _acts(text, bodies.values(), known))
        for text, bodies in zip(given.sides, early, strict=True)
    )
    for function, first, second in new - old:
        yield function, UNORDERED.format(first, second)
    if how.processor.layout.pointer == LONG:
        for function in _halved(given, (how.dump(0), how.dump(1))):
            yield function, HALVES
        for function in _parted(given, how.dump(0, FOLDED), how.dump(1, FOLDED)):
            yield function, PUNNED


class _Act(NamedTuple):
    """What a token does: its ``order`` in gcc's code, and whether that is a call, or only a read of usual memory."""

    order: int
    calls: bool
    reads: bool


def _acts(text: Text, bodies: Iterable[str], known: Set[str]) -> dict[int, _Act]:
    """What the tokens at these offsets do, macros included; calls are those of ``known`` functions."""
    code, owner = text.tokens, text.pieces.owner
    places = {
        (text.line_of(t.start), t.start - text.text.rfind("\n", 0, t.start)): t
        for t in code
        if t.start in owner
    }
    acts, loaded = dict[int, _Act](), dict[str, str]()
    for order, found in enumerate(m for each in bodies for m in _ACTS.finditer(each)):
        memory, callee = found["memory"] or "", found["callee"] or ""
        reads = bool(memory) and found["volatile"] is None
        if word := _SIMPLE.search(memory):
            loaded[found["name"]] = word[1]
        if not found["file"].endswith(text.file) or (
            (_COMPUTED.match(memory) or not _MEMORY.match(memory))
            if reads
            else callee and not _SSA.match(callee) and callee not in known - IGNORED
        ):
            continue
        line, _, column = (found["inner"] or found["at"]).partition(":")
        place = places.get((int(line), int(column)))
        if place is not None:
            # What is an argument may have the place of the call, and a variable that of its operator.
            named = word[1] if word else loaded.get(callee, callee)
            same = (
                t
                for t in code
                if t.text == named and owner.get(t.start) == owner[place.start]
            )
            near = min(same, key=lambda t: abs(t.start - place.start), default=place)
            if near.start not in acts or acts[near.start].reads:
                acts[near.start] = _Act(order, bool(callee), reads)
    return acts


def _unordered(
    text: Text, known: Set[str], acts: Mapping[int, _Act]
) -> Counter[tuple[str, str, str]]:
    """What C does not order in one expression, two each by their function: calls of ``known`` functions, and other acts.

    A read and a call are, if gcc has them in another order than clang, which evaluates from left to right.
    """
    code, owner = text.tokens, text.pieces.owner
    inside = dict(nested(code))
    found = Counter[tuple[str, str, str]]()
    earlier = list[tuple[int, int, str, _Act]]()
    for at, token in enumerate(code[:-1]):
        called, member = code[at + 1].text == "(", is_member(code, at)
        act = acts.get(token.start)
        if act is None and called and (token.text in known or member):
            act = _Act(-1, True, False)
        piece = owner.get(token.start)
        if piece is None or act is None:
            continue
        opening = at + called if called or token.text == "[" else len(code)
        last = closing(code, opening) or at
        first = at - 2 * member - (token.text == "[")
        end = at if called else last + (token.text == "*")
        name = text.text[code[first].start : code[end].end] + "()" * called
        earlier = [each for each in earlier if owner[code[each[0]].start] == piece]
        for one, until, other, before in earlier:
            differ = (x + y for x, y in zip(inside[one], inside[at]) if x != y)
            outer = next(differ, ("operand",))
            reads = before.reads + act.reads
            turned = before.order > act.order >= 0
            matters = not reads or reads == 1 and before.calls | act.calls and turned
            # Commas between other than arguments order them.
            if until < at and any(outer[::2]) and matters:
                found[text.function(token), other, name] += 1
        earlier.append((at, last, name, act))
    return found


def _halved(given: Aligned, dumps: tuple[Path, Path]) -> tuple[str, ...]:
    """The functions of which one side has halves for longs of the other one, sorted."""
    texts = [text.splitlines() for text in given.texts]
    changed = {n for n, (a, b) in enumerate(zip_longest(*texts), 1) if a != b}

    def placed(file: str, line: int) -> Place:
        """A place on both sides; all that the change touches is one."""
        if line in changed and file.endswith(given.file):
            return "", 0
        return Path(file).name, line

    def counted(bodies: Iterable[str]) -> Accesses:
        found: dict[Place, Counter[int]] = {}
        for body in bodies:
            for place, sizes in accesses(body, placed).items():
                found.setdefault(place, Counter()).update(sizes)
        return found

    both = _together(given, *map(_bodies, dumps))
    return tuple(n for n, old, new in both if _is_halved(counted(old), counted(new)))


def _together(
    given: Aligned, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[tuple[str, list[str], list[str]]]:
    """The functions that differ, by name, each with those that it uses of its side alone; those that none uses come last.

    What is only inlined on the other side is not alone.
    """
    own, other = ({p.function for p in text.pieces.all} for text in given.sides)
    alone = old.keys() - new.keys() - other, new.keys() - old.keys() - own
    left = [sorted(each) for each in alone]
    for name in sorted(n for n in old.keys() & new.keys() if old[n] != new[n]):
        several = list[list[str]]()
        for side, bodies in enumerate((old, new)):
            words = {n: {*WORD.findall(bodies[n])} for n in (name, *alone[side])}
            used = closure([name], lambda n: alone[side] & words[n])
            left[side] = [n for n in left[side] if n not in used]
            several.append([bodies[n] for n in used])
        yield name, several[0], several[1]
    if all(left):
        yield "", [old[n] for n in left[0]], [new[n] for n in left[1]]


# BIT_FIELD_REF <v_1, 32, 0>; MEM[(u32 *)&v + 4B]; the names of local unions, and members without names
_PART = re.compile(r"\bBIT_FIELD_REF <\w+(?:\(D\))?(, \d+, \d+)>")
_OF_LOCAL = re.compile(r"\bMEM(?: <([^<>]*)>)? ?\[\(([^()]*?) \*[^()]*\)&(\w+)([^]]*)")
_VARIABLE = re.compile(r"^  ([a-z][\w ]*[ *])([\w.]+)(?:\[\d*\])*;$", re.MULTILINE)
_UNION = re.compile(r"^  union(?: \w+|\s+\{.*?^  \}) (\w+);", re.MULTILINE | re.DOTALL)
# gcc counts what has no name: D.4711.
_UNNAMED = re.compile(r"\bD\.\d+")
_PASSED = re.compile(r"\b(\w+) \((.*&.*)\);")


def _parted(given: Aligned, old: Path, new: Path) -> Iterator[str]:
    """The functions of which one side accesses other parts of its local variables, by size and place."""
    both = _bodies(old), _bodies(new)
    for name, *sides in _together(given, *both):
        was, now = (
            sum((_parts(body, *own) for body in side), Counter[tuple[str, ...]]())
            for side, own in zip(sides, (both, both[::-1]))
        )
        if was != now:
            yield name


def _parts(
    body: str, own: Mapping[str, str], other: Mapping[str, str]
) -> Counter[tuple[str, ...]]:
    """The accesses to parts of local variables, by size and place.

    So is a call that passes the address of a variable to a function that accesses halves, and that the other side has not,
    and one with a number that may be the size of a part of it.
    """
    text = _UNNAMED.sub("D", _PLACE.sub("", body))
    found = Counter[tuple[str, ...]]((part,) for part in _PART.findall(text))
    kinds = _declared(text) | {n: kind.strip() for kind, n in _VARIABLE.findall(text)}
    sizes = {name: _size(kind) for name, kind in kinds.items()}
    for kind, cast, name, place in _OF_LOCAL.findall(text):
        if 0 < (size := _size(kind or cast)) < sizes.get(name, 0):
            found[str(size), place] += 1
    for callee, passed in _PASSED.findall(text):
        wide = (sizes.get(name, 0) for name in re.findall(r"&(\w+)", passed))
        most = max(wide, default=0)
        numbers = re.findall(r"\b\d+\b", passed)
        found.update(("passed", n) for n in numbers if 0 < int(n) < most)
        if callee in own.keys() - other.keys():
            halves = any(
                _HALF in n for n in accesses(own[callee], lambda *at: at).values()
            )
            taken = re.findall(r"&(\w+)", passed if halves else "")
            found.update((callee, name) for name in taken if sizes.get(name) == LONG)
    names = "|".join((*_UNION.findall(text), r"\w+\.D"))
    for taken, name, member in re.findall(rf"(&?)\b({names})(\.[\w.]+)", text):
        # The address of a lock of the file tells nothing.
        if not taken or name.partition(".")[0] in kinds:
            found[member,] += 1
    return found


def _is_halved(old: Accesses, new: Accesses) -> bool:
    both = (
        (old.get(place, Counter()), new.get(place, Counter()))
        for place in old.keys() | new.keys()
    )
    return any(was - now and now - was for was, now in both)


def accesses(body: str, placed: Callable[[str, int], Place]) -> Accesses:
    """The accesses to memory of a function's body in gcc's last form, by size and where ``placed`` says that they are."""
    for name in {*_REGISTER.findall(body)}:
        body = re.sub(rf"\b{name}\b(?!\.)", "_0", body)
    types = _declared(body) | _versions(body)
    found: dict[Place, Counter[int]] = {}
    for match in _ASSIGNED.finditer(body):
        for size in _sizes(match["left"], match["right"], types):
            place = placed(match["file"], int(match["line"]))
            found.setdefault(place, Counter())[size] += 1
    for match in _CALL.finditer(body):
        passed = [_PLACE.sub("", each) for each in arguments_in(match["arguments"])]
        # memcmp (p_1, q_2, 4)
        if str(_HALF) in passed:
            place = placed(match["file"], int(match["line"]))
            kinds = (_type_in(each, types) or "" for each in passed)
            pointers = sum(kind.endswith("*") for kind in kinds)
            found.setdefault(place, Counter())[_HALF] += pointers
    return found


def _versions(body: str) -> dict[str, str]:
    """The types of temporaries of variables that have one name and several types, as a macro's of which each use has its own.

    gcc declares the last one first.
    """
    kinds: dict[str, list[str]] = {}
    for each in _DECLARED.finditer(body):
        kinds.setdefault(each["name"], []).insert(0, each["type"].strip())
    kinds = {name: each for name, each in kinds.items() if len(set(each)) > 1}
    lines: dict[str, dict[str, int]] = {name: {} for name in kinds}
    for each in _ASSIGNED.finditer(body) if kinds else ():
        for used in re.findall(r"\b\w+_\d+\b", f"{each['left']} {each['right']}"):
            if (name := used.rpartition("_")[0]) in kinds:
                lines[name].setdefault(used, int(each["line"]))
    found = dict[str, str]()
    for name, several in kinds.items():
        ordered = sorted(lines[name], key=lines[name].__getitem__)
        if len(ordered) % len(several) == 0:
            share = len(ordered) // len(several)
            found |= {used: several[n // share] for n, used in enumerate(ordered)}
    return found


def _sizes(left: str, right: str, types: Mapping[str, str]) -> Iterator[int]:
    """The sizes of the load, or of the store, that an assignment is."""
    sides = [_PLACE.sub("", side).strip() for side in (left, right)]
    for memory, other in (sides, sides[::-1]):
        if _MEMORY.match(memory) and not _SSA.match(memory):
            typed = _TYPED.match(memory)
            kind = typed[1] if typed else _type_in(other, types) or types.get(memory)
            size = _size(kind) if kind else 0
            if size:
                yield size


def _size(kind: str) -> int:
    if kind.endswith("*"):
        return LONG
    known = integer(kind)
    return 0 if known is None else max(known.sizes)


PUNNED = "which bytes of another type it accesses depends on byte order and width"


def _cleared(given: Aligned, code: bytes) -> tuple[str, ...]:
    """The functions where an initialiser with members clears after the change, whose object is ``code``, sorted.

    Only of what has padding, and of local variables that are passed on by their address. Another architecture may have
    no padding there, so it does not say more of it.
    """
    own, other = given.sides
    gone = set(Counter(_clears(own)) - Counter(_clears(other)))
    if not gone:
        return ()
    tags = set((_literals(other) - _literals(own)).keys())
    found = {what for what in gone if _is_initialised(other, *what)}
    padded = _padded(code, found, tags) if found or tags else set()
    functions = {function for function, _ in gone & padded}
    return tuple(sorted(functions | {f for f, _ in gone if (f, "") in padded}))


def _clears(text: Text) -> Iterator[tuple[str, str]]:
    """Each ``memset(&variable, 0``, ``memset(pointer, 0`` or ``variable = {}``, with the function and what is cleared."""
    code = text.tokens
    for at, token in enumerate(code[:-5]):
        if [each.text for each in code[at + 1 : at + 4]] == ["=", "{", "}"]:
            yield text.function(token), token.text
        if [token.text, code[at + 1].text] == ["memset", "("]:
            name = at + 2 + (code[at + 2].text == "&")
            if [t.text for t in code[name + 1 : name + 3]] == [",", "0"]:
                yield text.function(token), code[name].text


def _literals(text: Text) -> Counter[tuple[str, str]]:
    """Each ``(struct tag){`` with members, with the function and the tag."""
    code = text.tokens
    return Counter(
        (text.function(token), code[at + 1].text)
        for at, token in enumerate(code[:-4])
        if token.text in ("struct", "union")
        and [t.text for t in code[at + 2 : at + 4]] == [")", "{"]
        and code[at + 4].text != "}"
    )


def _is_initialised(text: Text, function: str, variable: str) -> bool:
    """Whether a variable has an initialiser with members, and a call gets its address."""
    own = [t for t in text.tokens if text.function(t) == function]
    return _has(own, [variable, "=", "{"], but="}") and any(
        _has(own, [before, "&", variable]) for before in ("(", ",")
    )


def _has(code: Sequence[Token], words: list[str], but: str = "") -> bool:
    size = len(words)
    return any(
        [t.text for t in code[at : at + size]] == words
        and [t.text for t in code[at + size : at + size + 1]] != [but]
        for at in range(len(code))
    )


def _padded(
    code: bytes, wanted: set[tuple[str, str]], tags: set[tuple[str, str]]
) -> set[tuple[str, str]]:
    """The variables of functions whose type has padding, or is a union, in an object with debug information.

    For a literal of such a type, by its tag, a function has a variable without a name.
    """
    found = set()
    dwarf = ObjectFile(code).linked().get_dwarf_info(relocate_dwarf_sections=False)
    names = {function for function, _ in wanted}
    for unit in dwarf.iter_CUs():
        for die in unit.get_top_DIE().iter_children():
            if die.tag == "DW_TAG_subprogram" and name_of(die) in names:
                for variable in variables(die):
                    what = name_of(die), name_of(variable)
                    kind, _ = bare(type_of(origin(variable)))
                    if what in wanted and kind is not None and _has_padding(kind):
                        found.add(what)
            elif die.tag in RECORDS and _has_padding(die):
                found |= {(f, "") for f, tag in tags if tag == name_of(die)}
    return found


def _has_padding(kind: Any) -> bool:
    """Whether members leave bytes of a type; those of bit-fields, and of unions, may."""
    if kind.tag == _ARRAY:
        element, _ = bare(type_of(kind))
        return element is not None and _has_padding(element)
    if kind.tag not in RECORDS:
        return False
    if kind.tag != "DW_TAG_structure_type":
        return True
    end = 0
    for _, inner, start, size in members(kind):
        if start != end or _has_padding(inner):
            return True
        end = start + size
    return end != size_of(kind)


def _bodies(dump: Path) -> dict[str, str]:
    """The functions in a dump, by name."""
    parts = _FUNCTION.split(dump.read_text(errors="replace"))[1:]
    return {part.partition("(")[2].partition(",")[0]: part for part in parts}


def _declared(body: str) -> dict[str, str]:
    """The types of a function's parameters and variables, by name."""
    header = _HEADER.search(body)
    found = {}
    for each in filter(None, arguments_in(header["parameters"] if header else "")):
        kind, _, name = each.rpartition(" ")
        found[name] = kind
    return found | {m["name"]: m["type"].strip() for m in _DECLARED.finditer(body)}


def _type_in(name: str, types: Mapping[str, str]) -> str | None:
    """The type of a variable or temporary, None for anything else."""
    match = _SSA.match(name)
    if match is None:
        return types.get(name)
    return types.get(name.removesuffix("(D)")) or types.get(match["base"])
