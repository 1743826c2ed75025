# SPDX-License-Identifier: GPL-2.0
"""Loops: how words grow from one iteration to the next, and what widening may conclude."""

from types import SimpleNamespace

import pytest
import z3

from hotcocci.proof.symbolic.x86 import LAYOUT
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.joint import Joint
from hotcocci.proof.symbolic.loops import (
    Grows,
    Loop,
    Words,
    grown,
    growth_of,
    rebuilt,
    same,
    widened,
    words,
)
from hotcocci.proof.symbolic.memory import stored
from hotcocci.proof.symbolic.solver import QUERY, STEP, LimitError, Solver
from hotcocci.proof.symbolic.state import Path, State
from hotcocci.proof.symbolic.values import Word


POINTER, OTHER = z3.BitVec("pointer", 64), z3.BitVec("other", 64)
COUNT = z3.BitVec("count", 32)
POISON = v.unknown(f"{v.POISON}old 1", 64)


def test_a_32_bit_counter_grows_in_its_lower_half():
    counter = z3.ZeroExt(32, COUNT)
    following = z3.ZeroExt(32, COUNT + 1)
    assert growth_of(counter, following, 64) == Grows(1, half=True)
    assert same(grown(counter, Grows(1, half=True), 1, 64), following)
    # It wraps within 32 bits.
    assert grown(0xFFFF_FFFF, Grows(1, half=True), 1, 64) == 0


def iterations(*each: tuple[Word, ...]) -> list[Joint | None]:
    """The joint states that widening returns for the words of one side, iteration by iteration."""
    loops: dict[tuple[object, ...], list[Loop]] = {}
    found = []
    for values in each:
        registers = {8 * n: value for n, value in enumerate(values)}
        state = State(0x1000, registers, {})
        joint = Joint((state, state), path=Path())
        words = Words(values, (64,) * len(values), ("loop",))
        found.append(widened(loops, Solver(), joint, (), (words, words), LAYOUT))
    return found


@pytest.mark.parametrize("order", ["little", "big"])
def test_words_next_to_each_other_on_the_stack_stay_apart(order):
    first, second = z3.BitVec("first", 32), z3.BitVec("second", 32)
    stack = stored(stored({}, 0x100, first, 4, order), 0x104, second, 4, order)
    registers = SimpleNamespace(width=32, bits=lambda _: 32)
    arch = SimpleNamespace(registers=registers, layout=SimpleNamespace(order=order))
    state = State(0x1000, {}, stack)
    found = words(state, arch)
    assert found.values == (first, second)
    assert rebuilt(state, found.values, order).stack == stack


def test_an_induction_step_that_holds_ends_the_loop():
    first, second, third = iterations((POINTER, 0), (POINTER + 4, 1), (POINTER + 8, 2))
    assert first is not None and second is not None
    # Any iteration: the pointer grows by four while the index grows by one.
    pointer, index = second.states[0].registers.values()
    assert same(pointer, POINTER + 4 * v.term(index, 64))
    assert third is None


def test_a_word_that_breaks_the_pattern_is_followed_again():
    found = iterations((POINTER, 0), (POINTER + 4, 1), (POINTER + 6, 2))
    assert found[2] is not None


def test_words_that_differ_are_not_taken_for_equal():
    _, second = iterations((POINTER, POINTER), (OTHER, POINTER + OTHER))
    assert second is not None
    one, other = second.states[0].registers.values()
    assert not same(one, other)


def test_uninitialised_words_stay_uninitialised_only_together():
    _, second = iterations((POISON,), (v.unknown(f"{v.POISON}old 2", 64),))
    assert second is not None
    (word,) = second.states[0].registers.values()
    assert str(word).startswith(v.POISON)
    _, mixed = iterations((POISON,), (POINTER,))
    assert mixed is not None
    (word,) = mixed.states[0].registers.values()
    assert not str(word).startswith(v.POISON)


def test_the_effort_of_a_search_is_limited():
    solver = Solver(20 * STEP)
    with pytest.raises(LimitError, match="^too much work: (?:20|21) steps$"):
        while True:
            solver.step()
    asking = Solver(20 * (STEP + QUERY))
    with pytest.raises(LimitError, match="^too much work: (?:1[0-9]|20) steps$"):
        while asking.possible(Path()):
            asking.step()


def test_words_that_stay_apart_do_so_whatever_their_value():
    third = z3.BitVec("third", 64)
    entries = (POINTER, POINTER + 8), (OTHER, OTHER + 8)
    assert iterations(*entries, (third, third + 8))[-1] is None
    assert iterations(*entries, (third, third + 16))[-1] is not None
