# SPDX-License-Identifier: GPL-2.0
"""The contents of registers and stack slots: variables, the loads that values come from, and places in C objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from elftools.dwarf.locationlists import (
    BaseAddressEntry,
    LocationEntry,
    LocationExpr,
    LocationParser,
)

from hotcocci.machine import dwarf
from hotcocci.machine.dwarf import POINTER, RECORDS, bare, name_of, size_of, type_of
from hotcocci.machine.elf import Address, ObjectFile

ARRAY = "DW_TAG_array_type"
# A register by its 64-bit name, or a stack slot by its distance from the stack pointer at the entry.
Key = str | int
# DWARF's numbers of the general registers (System V ABI for x86-64, figure 3.36)
REGISTERS = "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split()
# Registers for arguments (figure 3.4), and what fits into one
ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
WORD = 8
# DW_OP_reg0: the variable is in the register, not at an address in it.
IN_REGISTER = 0x50
# DW_OP_breg0 with a distance, and DW_OP_stack_value: it is the register and this distance.
FROM_REGISTER, IS_VALUE = 0x70, 0x9F


@dataclass(frozen=True)
class Place:
    """A place in an object: the type at its start as a DIE, and the distance from there in bytes."""

    type: Any
    offset: int = 0

    def moved(self, distance: int) -> Place:
        """The place that many bytes further on."""
        return Place(self.type, self.offset + distance)


@dataclass(frozen=True)
class Member:
    """A member: the structure it is in, its path, offset there and size, and what it points to.

    ``record`` is empty for an object that is no structure.
    """

    record: str
    path: str
    offset: int
    size: int
    target: Place | None


UNKNOWN = Member("", "", 0, 0, None)


def pointed(type_: Any) -> Place | None:
    """The type that a pointer type points to; None for other types."""
    found, _ = bare(type_)
    if found is None or found.tag != POINTER:
        return None
    target, _ = bare(type_of(found))
    return Place(target) if target is not None else None


def member(place: Place) -> Member | None:
    """The innermost member at a place; None if the type has nothing there."""
    type_, _ = bare(place.type)
    if type_ is None or place.offset < 0:
        return None
    record = name_of(type_) if type_.tag in RECORDS else ""
    path, left = "", place.offset
    while (step := _step(type_, left)) is not None:
        text, type_, left = step
        path += text
    width = dwarf.width_of(type_)
    if left >= width:
        return None
    offset = place.offset - left
    return Member(record, path.removeprefix("."), offset, width, pointed(type_))


def element(place: Place, size: int) -> Member | None:
    """The element of this size at a place, whatever its index; None if that is no array.

    What a pointer points to may be one, too.
    """
    found = member(place)
    if found is not None and "[" in found.path:
        return replace(found, path=f"{found.path.partition('[')[0]}[]")
    first = member(Place(place.type))
    if first is None or first.path or first.size != size or place.offset % size:
        return None
    return replace(first, path="[]")


def _step(type_: Any, offset: int) -> tuple[str, Any, int] | None:
    """One step into a structure or an array: its text, the type there, and the rest of the offset."""
    if type_.tag in RECORDS:
        for name, inner, start, size in dwarf.members(type_):
            if start <= offset < start + size:
                return f".{name}" if name else "", inner, offset - start
        return None
    if type_.tag == ARRAY:
        element, _ = bare(type_of(type_))
        size = size_of(element) if element is not None else 0
        if size:
            return f"[{offset // size}]", element, offset % size
    return None


@dataclass(frozen=True)
class Value:
    """A value: the loads that it comes from, the place that it points to, and its name in C."""

    loads: frozenset[Address] = frozenset()
    place: Place | None = None
    name: str = ""

    def untyped(self) -> Value:
        """A value computed from this one alone: it still waits for its loads."""
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
        """The state where two paths meet: a value may come from the loads of either."""
        same = self.depth == other.depth
        values = {
            key: met(self.values.get(key, NOTHING), other.values.get(key, NOTHING))
            for key in self.values.keys() | other.values.keys()
            if same or isinstance(key, str)
        }
        return State(values, self.depth if same else None)


def met(first: Value, second: Value) -> Value:
    """The common knowledge of two values, of which either may be there."""
    if first == second:
        return first
    place = first.place if first.place == second.place else None
    name = first.name if first.name == second.name else ""
    return Value(first.loads | second.loads, place, name)


@dataclass(frozen=True)
class Held:
    """A variable between two addresses: what a register holds, plus ``added``."""

    low: int
    high: int
    register: str
    added: int
    name: str
    type: Any


class Variables:
    """The variables of an object compiled with -g and without location views.

    Raises ElfError if the object's debug information cannot be relocated.
    """

    def __init__(self, obj: ObjectFile) -> None:
        info = obj.linked().get_dwarf_info(relocate_dwarf_sections=False)
        self._parser = LocationParser(info.location_lists())
        self._bodies: dict[str, Any] = {}
        self._results: dict[str, Any] = {}
        self._arguments: dict[str, tuple[str, ...]] = {}
        self._globals: dict[str, Any] = {}
        for unit in info.iter_CUs():
            for die in unit.get_top_DIE().iter_children():
                if die.tag == "DW_TAG_subprogram":
                    self._function(die)
                elif die.tag == "DW_TAG_variable":
                    known = dwarf.origin(die)
                    if type_of(known) is not None:
                        self._globals.setdefault(name_of(die), type_of(known))

    def _function(self, die: Any) -> None:
        if "DW_AT_low_pc" in die.attributes or "DW_AT_ranges" in die.attributes:
            self._bodies[name_of(die)] = die
        result = type_of(dwarf.origin(die))
        if result is not None:
            self._results.setdefault(name_of(die), result)
        self._arguments.setdefault(name_of(die), _arguments(die))

    def of_global(self, name: str) -> Any:
        """The type of a global variable; None if it is not declared."""
        return self._globals.get(name)

    def result(self, function: str) -> Any:
        """The type that a function returns; None for void, and if it is not declared."""
        return self._results.get(function.partition(".")[0])

    def arguments(self, function: str) -> tuple[str, ...]:
        """The registers of a function's first arguments, up to one that takes more than a register."""
        return self._arguments.get(function, ())

    def held(self, function: str) -> tuple[Held, ...]:
        """The variables in registers in a function's code, with those of functions inlined there.

        Addresses are those of `ObjectFile.bases`.
        """
        body = self._bodies.get(function.partition(".")[0])
        found = dwarf.variables(body) if body is not None else ()
        return tuple(held for each in found for held in self._places(each, body))

    def _places(self, variable: Any, body: Any) -> Iterator[Held]:
        location = variable.attributes.get("DW_AT_location")
        type_ = type_of(dwarf.origin(variable))
        unit, version = variable.cu, variable.cu["version"]
        if location is None or type_ is None:
            return
        if not LocationParser.attribute_has_location(location, version):
            return
        entries = self._parser.parse_from_attribute(location, version, variable)
        start = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
        base = int(start.value) if start is not None else 0
        for entry in [entries] if isinstance(entries, LocationExpr) else entries:
            if isinstance(entry, BaseAddressEntry):
                base = entry.base_address
                continue
            places = dwarf.extent(body)
            if isinstance(entry, LocationEntry):
                since = 0 if entry.is_absolute else base
                places = entry.begin_offset + since, entry.end_offset + since
            where = _place(entry.loc_expr)
            if where is not None:
                yield Held(*places, *where, name_of(variable), type_)


def _arguments(function: Any) -> tuple[str, ...]:
    found: list[str] = []
    for child in function.iter_children():
        if child.tag == "DW_TAG_formal_parameter":
            type_, _ = bare(type_of(dwarf.origin(child)))
            size = dwarf.width_of(type_) if type_ is not None else 0
            if not 0 < size <= WORD or len(found) == len(ARGUMENTS):
                break
            found.append(ARGUMENTS[len(found)])
    return tuple(found)


def _place(expression: list[int]) -> tuple[str, int] | None:
    """The register that holds a variable, and what to add; None if it is elsewhere."""
    if len(expression) == 1 and 0 <= expression[0] - IN_REGISTER < len(REGISTERS):
        return REGISTERS[expression[0] - IN_REGISTER], 0
    number = expression[0] - FROM_REGISTER if expression else -1
    if not (0 <= number < len(REGISTERS) and expression[-1] == IS_VALUE):
        return None
    value = dwarf.read_signed(expression[1:-1])
    return (REGISTERS[number], value) if value is not None else None
