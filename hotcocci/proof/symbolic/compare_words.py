# SPDX-License-Identifier: GPL-2.0
"""Compare words of both sides: identical, pointing to the same thing, or equal for all values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import z3

from hotcocci.proof.objects.image import Image
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.joint import Context, Joint
from hotcocci.proof.symbolic.state import shown
from hotcocci.proof.symbolic.values import Truth, Word

# Bits of the largest address
WHOLE = 64
# Prefixes of uninitialised variables: registers and locals, allocated memory.
UNWRITTEN = (v.POISON, f"memory {v.POISON}")


class Different(Exception):  # noqa: N818 - a finding, no error
    """Old and new code differ; the message says in what.

    ``condition`` says when, on its path. ``joint`` is where; search() sets it.
    """

    def __init__(self, what: str, condition: Truth = 1) -> None:
        super().__init__(what)
        self.condition = condition
        self.joint: Joint | None = None


@dataclass
class Comparison:
    """Comparisons at a joint state.

    ``locals_`` pairs addresses on the two stacks that belong to the same local. ``leaks`` is set if
    uninitialised bytes compared as equal.
    """

    context: Context
    joint: Joint
    leaks: bool = False

    def __post_init__(self) -> None:
        self.codes = self.context.codes
        self.locals_ = dict(self.joint.locals_)

    def possible(self, condition: Truth) -> bool:
        """Whether a condition can hold here."""
        return self.context.solver.possible(self.joint.path, condition)

    def require(self, one: Word, other: Word, width: int, what: str) -> None:
        """Raise Different unless two words are equal for all values."""
        one, other = self._by_name(v.plain(one), v.plain(other))
        if isinstance(one, int) and isinstance(other, int):
            if not self._points_alike(one, other):
                was, now = (
                    _named(code.image, at) or shown(at)
                    for code, at in zip(self.codes, (one, other), strict=True)
                )
                raise Different(f"{what} was {was}, now {now}")
        elif not self._alike(one, other):
            unequal = list(self._unequal(one, other, width))
            if not unequal:
                return
            differs = v.settled(z3.Or(*unequal))
            model = self.context.solver.model(self.joint.path, differs)
            if model is not None:
                was, now = (_for_example(model, word) for word in (one, other))
                raise Different(f"{what} was {was}, now {now}", differs)

    def _alike(self, one: Word, other: Word) -> bool:
        return not isinstance(one, int) and not isinstance(other, int) and one.eq(other)

    def _by_name(self, one: Word, other: Word) -> tuple[Word, Word]:
        """The words with addresses of functions and literals replaced by names."""
        if isinstance(one, int) or isinstance(other, int):
            return one, other
        numbers = {*v.numbers(one), *v.numbers(other)}
        old, new = (
            {n: name for n in numbers if (name := _named(code.image, n)) is not None}
            for code in self.codes
        )
        if old == new:
            return one, other
        return _spelled(one, old), _spelled(other, new)

    def _points_alike(self, one: int, other: int) -> bool:
        """Whether two addresses are those of the same function, literal or local."""
        local = [
            at in code.arch.layout.stack
            for code, at in zip(self.codes, (one, other), strict=True)
        ]
        if all(local):
            if one not in self.locals_ and other in self.locals_.values():
                return False
            return self.locals_.setdefault(one, other) == other
        if any(local):
            return False
        names = [
            _named(code.image, at)
            for code, at in zip(self.codes, (one, other), strict=True)
        ]
        return names[0] == names[1] if any(names) else one == other

    def _unequal(self, one: Word, other: Word, width: int) -> Iterator[z3.BoolRef]:
        """Conditions for two words to differ, ignoring bytes that are uninitialised on both sides."""
        if not (_has_poison(one) and _has_poison(other)):
            yield v.truth(v.negation(v.equal(one, other, width)))
            return
        for low in range(0, width, 8):
            size = min(8, width - low)
            yield from self._unequal_bits(one, other, low, size)

    def _unequal_bits(
        self, one: Word, other: Word, low: int, size: int
    ) -> Iterator[z3.BoolRef]:
        """The same for some bits: a bit-field may have uninitialised neighbours."""
        mine = v.plain(v.extract(one, low + size - 1, low))
        others = v.plain(v.extract(other, low + size - 1, low))
        if is_poison(mine) and is_poison(others):
            self.leaks = True
        elif size > 1 and _has_poison(mine) and _has_poison(others):
            for bit in range(low, low + size):
                yield from self._unequal_bits(one, other, bit, 1)
        else:
            yield v.truth(v.negation(v.equal(mine, others, size)))


def _for_example(model: z3.ModelRef, word: Word) -> str:
    """The value of a word in a counter-example, as text."""
    if is_poison(word):
        return "uninitialised"
    if not isinstance(word, int):
        word = model.eval(word, model_completion=True)
    return shown(word if isinstance(word, int) else word.as_long())


def _spelled(word: z3.BitVecRef, names: Mapping[int, str]) -> Word:
    pairs = [
        (z3.BitVecVal(number, width), z3.BitVec(f"named {name}", width))
        for number, name in names.items()
        for width in {word.size(), WHOLE}
    ]
    return z3.substitute(word, *pairs)


def _named(image: Image, address: int) -> str | None:
    function = image.function_at(address)
    if function is not None:
        # _RET_IP_ passes an offset into the function, which may differ.
        return function.name
    return image.text(address)


def variables(term: Word | z3.BoolRef) -> Iterator[str]:
    """The names of the variables in a word or condition."""
    if not isinstance(term, int):
        for variable in v.leaves(term):
            yield variable.decl().name()


def _has_poison(value: Word) -> bool:
    return any(name.startswith(UNWRITTEN) for name in variables(value))


def is_poison(value: Word) -> bool:
    """Whether a word is entirely uninitialised."""
    if isinstance(value, int):
        return False
    while value.decl().kind() == z3.Z3_OP_EXTRACT:
        value = value.arg(0)
    return bool(z3.is_const(value)) and str(value.decl().name()).startswith(UNWRITTEN)
