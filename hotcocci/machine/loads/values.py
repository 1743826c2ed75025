# SPDX-License-Identifier: GPL-2.0
"""Track registers and stack slots to the loads that set them, and the objects they point to."""

from __future__ import annotations

from dataclasses import dataclass, field

from hotcocci.machine.elf import Address
from hotcocci.machine.loads.objects import Place

# A register by its 64-bit name, or a stack slot by its distance from the stack pointer at the entry.
Key = str | int


@dataclass(frozen=True)
class Value:
    """A value: the loads that it comes from, the place that it points to, and its name in C."""

    loads: frozenset[Address] = frozenset()
    place: Place | None = None
    name: str = ""

    def untyped(self) -> Value:
        """What is computed from this value alone: it still waits for its loads."""
        return Value(self.loads)


NOTHING = Value()


@dataclass
class State:
    """The values at an instruction; ``depth`` is how far the stack has grown, None if not known."""

    values: dict[Key, Value] = field(default_factory=dict)
    depth: int | None = 0

    def copy(self) -> State:
        """A state that can be changed."""
        return State(dict(self.values), self.depth)

    def met(self, other: State) -> State:
        """What holds where two paths meet: a value may come from the loads of either."""
        same = self.depth == other.depth
        values = {
            key: met(self.values.get(key, NOTHING), other.values.get(key, NOTHING))
            for key in self.values.keys() | other.values.keys()
            if same or isinstance(key, str)
        }
        return State(values, self.depth if same else None)


def met(first: Value, second: Value) -> Value:
    """What is known of a value that is one of two."""
    if first == second:
        return first
    return Value(
        first.loads | second.loads,
        first.place if first.place == second.place else None,
        first.name if first.name == second.name else "",
    )
