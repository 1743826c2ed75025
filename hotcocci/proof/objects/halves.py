# SPDX-License-Identifier: GPL-2.0
"""Find functions that access a long or a pointer where the other side accesses a half of it.

Which half that is depends on the byte order, and no comparison has 64 bits in the other one, as s390 has. Machine code
does not tell: compilers shorten loads. But in gcc's last form before machine code (-fdump-tree-optimized) every
access has its type still, whether it was written as a cast, a member of a union, a memcpy(), or a variable of another type.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

from hotcocci.c.model import integer
from hotcocci.c.source import arguments_in
from hotcocci.proof.changed import Aligned
from hotcocci.proof.objects.signatures import (
    CALL,
    PLACE,
    SSA,
    bodies,
    declared,
    type_in,
)

HALVES = (
    "one side has more accesses of four bytes and fewer of eight:"
    " which half of a word these are depends on the byte order"
)
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
Place = tuple[str, int]
# How many accesses of how many bytes there are
Accesses = Mapping[Place, Counter[int]]


def halved(given: Aligned, dumps: tuple[Path, Path]) -> tuple[str, ...]:
    """The functions of which one side has halves for longs of the other one, sorted."""
    texts = [text.splitlines() for text in given.texts]
    changed = {n for n, (a, b) in enumerate(zip_longest(*texts), 1) if a != b}

    def placed(file: str, line: int) -> Place:
        """A place on both sides; all that the change touches is one."""
        if line in changed and file.endswith(given.file):
            return "", 0
        return Path(file).name, line

    old, new = (bodies(dump) for dump in dumps)
    return tuple(
        sorted(
            name
            for name in old.keys() & new.keys()
            if old[name] != new[name]
            and _is_halved(*(_accesses(each[name], placed) for each in (old, new)))
        )
    )


def _is_halved(old: Accesses, new: Accesses) -> bool:
    for place in old.keys() | new.keys():
        was, now = old.get(place, Counter()), new.get(place, Counter())
        wholes, halves = (now[n] - was[n] for n in (LONG, _HALF))
        if wholes * halves < 0:
            return True
    return False


def _accesses(body: str, placed: Callable[[str, int], Place]) -> Accesses:
    types = declared(body)
    found: dict[Place, Counter[int]] = {}
    for match in _ASSIGNED.finditer(body):
        for size in _sizes(match["left"], match["right"], types):
            place = placed(match["file"], int(match["line"]))
            found.setdefault(place, Counter())[size] += 1
    for match in CALL.finditer(body):
        passed = [PLACE.sub("", each) for each in arguments_in(match["arguments"])]
        # memcmp (p_1, q_2, 4)
        if str(_HALF) in passed:
            place = placed(match["file"], int(match["line"]))
            kinds = (type_in(each, types) or "" for each in passed)
            pointers = sum(kind.endswith("*") for kind in kinds)
            found.setdefault(place, Counter())[_HALF] += pointers
    return found


def _sizes(left: str, right: str, types: Mapping[str, str]) -> Iterator[int]:
    """The sizes of the load, or of the store, that an assignment is."""
    sides = [PLACE.sub("", side).strip() for side in (left, right)]
    for memory, other in (sides, sides[::-1]):
        if _MEMORY.match(memory) and not SSA.match(memory):
            typed = _TYPED.match(memory)
            kind = typed[1] if typed else type_in(other, types) or types.get(memory)
            size = _size(kind) if kind else 0
            if size:
                yield size


def _size(kind: str) -> int:
    if kind.endswith("*"):
        return LONG
    known = integer(kind)
    return 0 if known is None else max(known.sizes)
