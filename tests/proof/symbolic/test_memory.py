# SPDX-License-Identifier: GPL-2.0
"""Symbolic memory: stored values are read back, clobbered ones are unknown."""

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.memory import Heap, Terms
from hotcocci.proof.symbolic.values import Word

ONE, OTHER, INDEX = (z3.BitVec(name, 64) for name in ("one", "other", "index"))


def same(one: Word, other: Word) -> bool:
    one, other = v.plain(one), v.plain(other)
    if isinstance(one, int) or isinstance(other, int):
        return isinstance(one, int) and one == other
    return bool(one.eq(other))


def test_an_address_is_a_base_and_an_offset():
    terms = Terms(64)
    assert terms.place(ONE + 8 + 8) == terms.place(16 + ONE)
    assert terms.place(ONE + 8 * INDEX + 4).base == terms.place(INDEX * 8 + ONE).base
    assert terms.place((ONE + 4) - 12).offset == -8
    assert terms.place(ONE).base != terms.place(OTHER).base
    assert terms.place(0x1000).base == ()


def test_stored_values_are_read_back():
    terms = Terms(64)
    value = z3.BitVec("value", 64)
    heap = Heap().after(terms, terms.place(ONE + 8), value, 8)
    assert same(heap.load(terms, terms.place(ONE + 8), 8), value)
    low = heap.load(terms, terms.place(ONE + 8), 4)
    assert same(low, z3.Extract(31, 0, value))
    # The upper half is the old contents.
    both = heap.load(terms, terms.place(ONE + 12), 8)
    assert same(v.extract(both, 31, 0), z3.Extract(63, 32, value))
    before = Heap().load(terms, terms.place(ONE + 16), 4)
    assert same(v.extract(both, 63, 32), before)


def test_a_store_through_another_pointer_may_alias():
    terms = Terms(64)
    place = terms.place(ONE)
    before = Heap().load(terms, place, 8)
    heap = Heap().after(terms, terms.place(OTHER), 5, 8)
    assert not same(heap.load(terms, place, 8), before)
    # The pointers may alias, so the stored value is uncertain.
    own = Heap().after(terms, place, 7, 8)
    assert same(own.load(terms, place, 8), 7)
    later = own.after(terms, terms.place(OTHER), 5, 8)
    assert not same(later.load(terms, place, 8), 7)
    # Storing it again makes it certain.
    again = later.after(terms, place, 9, 8)
    assert same(again.load(terms, place, 8), 9)


def test_loads_after_the_same_stores_are_the_same():
    terms = Terms(64)
    place = terms.place(ONE)
    stores = [(terms.place(OTHER), 5), (terms.place(OTHER + 8), 6)]
    heaps = [Heap(), Heap(), Heap()]
    for where, value in stores:
        heaps[0] = heaps[0].after(terms, where, value, 8)
        heaps[1] = heaps[1].after(terms, where, value, 8)
    for where, value in reversed(stores):
        heaps[2] = heaps[2].after(terms, where, value, 8)
    first, second, third = (heap.load(terms, place, 8) for heap in heaps)
    assert same(first, second)
    assert not same(first, third)


def test_powerpc_is_big_endian():
    terms = Terms(32, "big")
    base = z3.BitVec("base", 32)
    heap = Heap().after(terms, terms.place(base), 0x11223344, 4)
    assert same(heap.load(terms, terms.place(base), 1), 0x11)
    assert same(heap.load(terms, terms.place(base + 2), 2), 0x3344)
