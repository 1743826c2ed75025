# SPDX-License-Identifier: GPL-2.0
"""Memory of one side: its stack, and kernel memory, whose unknown contents both sides share.

Each call that may write to kernel memory starts a new epoch. Within one, a load of unwritten memory
is a variable named by epoch, base and offset. A write with another base may alias it: the
variable's name then includes all writes, so that two loads are equal only after the same writes.
Nothing is assumed about aliasing, but that no pointer from before an allocation leads into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.places import Place, Terms
from hotcocci.proof.symbolic.values import Word

# Bytes of one variable of kernel memory
WORD = 8


@dataclass(frozen=True)
class Written:
    """A written byte: the word it is part of, the size of that, and the byte's index in it."""

    value: Word
    size: int
    index: int


# Bytes by address or offset
Bytes = Mapping[int, Written]
Missing = Callable[[int, int], Word]


def stored(
    known: Bytes, at: int, value: Word, size: int, order: Literal["little", "big"]
) -> dict[int, Written]:
    """Add a store to the written bytes."""
    made = dict(known)
    for n in range(size):
        index = n if order == "little" else size - 1 - n
        made[at + n] = Written(value, size, index)
    return made


def loaded(
    known: Bytes,
    at: int,
    size: int,
    order: Literal["little", "big"],
    missing: Missing,
) -> Word:
    """The word at an address; ``missing`` returns parts that were not written."""
    first = known.get(at)
    if first is not None and first.size == size:
        start = 0 if order == "little" else size - 1
        same = all(
            (byte := known.get(at + n)) is not None
            and byte.value is first.value
            and byte.size == size
            and byte.index == abs(start - n)
            for n in range(size)
        )
        if same:
            return first.value
    found: Word = 0
    width = 0
    parts = list(_parts(known, at, size, missing))
    for value, length in parts if order == "little" else reversed(parts):
        found = value if not width else v.concat(value, found, 8 * length, width)
        width += 8 * length
    return found


def _parts(
    known: Bytes, at: int, size: int, missing: Missing
) -> Iterator[tuple[Word, int]]:
    """The parts of a load in address order, each with its size."""
    n = 0
    while n < size:
        byte = known.get(at + n)
        if byte is None:
            end = n
            while end < size and at + end not in known:
                end += 1
            yield missing(at + n, end - n), end - n
            n = end
            continue
        # Adjacent bytes of one word form one part, in either byte order.
        count, step = 1, 0
        while n + count < size:
            following = known.get(at + n + count)
            if (
                following is None
                or following.value is not byte.value
                or following.size != byte.size
            ):
                break
            way = following.index - byte.index
            if abs(way) != count or (step and way != step * count):
                break
            step = way // count
            count += 1
        low = min(byte.index, byte.index + step * (count - 1))
        yield v.extract(byte.value, 8 * (low + count) - 1, 8 * low), count
        n += count


@dataclass(frozen=True)
class Write:
    """A store to kernel memory."""

    base: tuple[int, ...]
    offset: int
    size: int
    value: Word


@dataclass(frozen=True)
class Heap:
    """Kernel memory of one side since the last call: its writes, in order and by base.

    ``epoch`` counts the calls that may have written, ``credentials`` those that may have changed
    the task's credentials. ``fresh`` is the base of the memory that the last of these calls has
    allocated, empty if it did not.
    """

    epoch: int = 0
    credentials: int = 0
    writes: tuple[Write, ...] = ()
    bases: Mapping[tuple[int, ...], Bytes] = field(default_factory=dict)
    fresh: tuple[int, ...] = ()

    def may_meet(
        self, terms: Terms, one: tuple[int, ...], other: tuple[int, ...]
    ) -> bool:
        """Whether places with two bases may be the same memory."""
        if one == other or not self.fresh or self.fresh not in (one, other):
            return True
        return not terms.are_from_before(other if one == self.fresh else one)

    def after(self, terms: Terms, place: Place, value: Word, size: int) -> Heap:
        """The heap after a store."""
        known = self.bases.get(place.base, {})
        made = stored(known, place.offset, value, size, terms.order)
        return replace(
            self,
            writes=(*self.writes, Write(place.base, place.offset, size, value)),
            bases={**self.bases, place.base: made},
        )

    def load(
        self,
        terms: Terms,
        place: Place,
        size: int,
        epoch: str | None = None,
    ) -> Word:
        """The contents of a place; with ``epoch``, only stores with its own base can change it."""
        known = self.bases.get(place.base, {})
        suffix = ""
        if epoch is None and any(self._is_met(terms, w, place) for w in self.writes):
            # Include all writes that may alias.
            known, suffix = self._hidden(terms, place, size, known)
        began: int | str = self.epoch if epoch is None else epoch

        def missing(at: int, length: int) -> Word:
            return initial(terms, began, Place(place.base, at), length, suffix)

        return loaded(known, place.offset, size, terms.order, missing)

    def _is_met(self, terms: Terms, write: Write, place: Place) -> bool:
        """Whether a write may alias a place with another base."""
        return write.base != place.base and self.may_meet(terms, write.base, place.base)

    def _hidden(
        self, terms: Terms, place: Place, size: int, known: Bytes
    ) -> tuple[Bytes, str]:
        """The bytes known after writes with other bases that may alias, and a suffix naming these."""
        relevant = [
            w
            for w in self.writes
            if self._is_met(terms, w, place)
            or w.base == place.base
            and (w.offset < place.offset + size and place.offset < w.offset + w.size)
        ]
        names = tuple((w.base, w.offset, w.size, terms.name(w.value)) for w in relevant)
        since = max(
            n for n, w in enumerate(self.writes) if self._is_met(terms, w, place)
        )
        covered = any(
            w.offset <= place.offset and place.offset + size <= w.offset + w.size
            for w in self.writes[since + 1 :]
            if w.base == place.base
        )
        return known if covered else {}, f"|{terms.listed(names)}"


def initial(
    terms: Terms, epoch: int | str, place: Place, size: int, suffix: str = ""
) -> Word:
    """The contents of a place at the start of an epoch."""
    base = ".".join(map(str, place.base))
    found: Word = 0
    width = 0
    at, end = place.offset, place.offset + size
    parts = []
    while at < end:
        start = at & -WORD
        length = min(end, start + WORD) - at
        word = z3.BitVec(f"memory {epoch} {base}+{start:#x}{suffix}", 8 * WORD)
        low = at - start if terms.order == "little" else start + WORD - at - length
        parts.append((v.extract(word, 8 * (low + length) - 1, 8 * low), length))
        at += length
    for value, length in parts if terms.order == "little" else reversed(parts):
        found = value if not width else v.concat(value, found, 8 * length, width)
        width += 8 * length
    return found
