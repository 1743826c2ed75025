# SPDX-License-Identifier: GPL-2.0
"""Renaming: states that differ only in the names of unknowns become identical."""

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.cut import Kept, Names
from hotcocci.proof.symbolic.memory import Terms, initial
from hotcocci.proof.symbolic.values import Word

FIRST, SECOND = z3.BitVec("result 1 f", 64), z3.BitVec("result 2 g", 64)
ARGUMENT = z3.BitVec("argument 0", 64)


def renamed(
    *words: Word, epoch: str = "memory 3 ", terms: Terms | None = None
) -> list[str]:
    """The words, renamed by their positions."""
    names = Names(Kept(), terms or Terms(64), epoch, True)
    for number, word in enumerate(words):
        names.note(word, f"register {number}")
    names.settle()
    return [str(names.word(word)) for word in words]


def test_names_say_the_first_location():
    assert renamed(FIRST, SECOND) == renamed(SECOND, FIRST)
    assert renamed(FIRST, 7) != renamed(7, FIRST)


def test_equalities_are_kept():
    assert renamed(FIRST, FIRST) == renamed(SECOND, SECOND)
    assert renamed(FIRST, FIRST) != renamed(FIRST, SECOND)
    assert renamed(FIRST, FIRST + 1) != renamed(FIRST, SECOND + 1)


def test_arguments_keep_their_names():
    assert renamed(ARGUMENT) == [str(ARGUMENT)]
    assert renamed(ARGUMENT) != renamed(FIRST)


def test_uninitialised_words_keep_their_side():
    old, new = (v.unknown(f"{v.POISON}{side} 1", 64) for side in ("old", "new"))
    assert renamed(old) != renamed(new)
    assert renamed(old) != renamed(FIRST)


def test_current_memory_is_named_by_its_pointer():
    terms = Terms(64)
    now = [initial(terms, "3", terms.place(ARGUMENT + n), 8) for n in (0, 8)]
    once = renamed(*now, terms=terms)
    assert once[0] != once[1]
    assert all(name.startswith("memory 0 ") for name in once)
    # Contents before a write are just unknown.
    before = initial(terms, "2", terms.place(ARGUMENT), 8)
    assert renamed(before, terms=terms) == renamed(FIRST)
