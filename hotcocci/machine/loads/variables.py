# SPDX-License-Identifier: GPL-2.0
"""Find the variables that are in registers, and the types of globals, in debug information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from elftools.dwarf.locationlists import (
    BaseAddressEntry,
    LocationEntry,
    LocationExpr,
    LocationParser,
)

from hotcocci.machine.dies import (
    bare,
    name_of,
    origin,
    read_signed,
    size_of,
    type_of,
)
from hotcocci.machine.elf import ObjectFile
from hotcocci.machine.loads.objects import pointer_size

# DWARF's numbers of the general registers (System V ABI for x86-64, figure 3.36)
REGISTERS = "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15".split()
# Registers for arguments (figure 3.4), and what fits into one
ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
WORD = 8
# DW_OP_reg0: the variable is in the register, not at an address in it.
IN_REGISTER = 0x50
# DW_OP_breg0 with a distance, and DW_OP_stack_value: it is the register and this distance.
FROM_REGISTER, IS_VALUE = 0x70, 0x9F
VARIABLES = ("DW_TAG_variable", "DW_TAG_formal_parameter")


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
        dwarf = obj.linked().get_dwarf_info(relocate_dwarf_sections=False)
        self._parser = LocationParser(dwarf.location_lists())
        self._bodies: dict[str, Any] = {}
        self._results: dict[str, Any] = {}
        self._arguments: dict[str, tuple[str, ...]] = {}
        self._globals: dict[str, Any] = {}
        for unit in dwarf.iter_CUs():
            for die in unit.get_top_DIE().iter_children():
                if die.tag == "DW_TAG_subprogram":
                    self._function(die)
                elif die.tag == "DW_TAG_variable":
                    known = origin(die)
                    if type_of(known) is not None:
                        self._globals.setdefault(name_of(die), type_of(known))
        self._held: dict[str, tuple[Held, ...]] = {}

    def _function(self, die: Any) -> None:
        if "DW_AT_low_pc" in die.attributes or "DW_AT_ranges" in die.attributes:
            self._bodies[name_of(die)] = die
        result = type_of(origin(die))
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
        if function not in self._held:
            body = self._bodies.get(function.partition(".")[0])
            found = self._within(body, body) if body is not None else ()
            self._held[function] = tuple(found)
        return self._held[function]

    def _within(self, scope: Any, body: Any) -> Iterator[Held]:
        for child in scope.iter_children():
            if child.tag in VARIABLES:
                yield from self._places(child, body)
            elif child.has_children:
                yield from self._within(child, body)

    def _places(self, variable: Any, body: Any) -> Iterator[Held]:
        location = variable.attributes.get("DW_AT_location")
        type_ = type_of(origin(variable))
        if location is None or type_ is None:
            return
        unit = variable.cu
        version = unit["version"]
        if not LocationParser.attribute_has_location(location, version):
            return
        entries = self._parser.parse_from_attribute(location, version, variable)
        if isinstance(entries, LocationExpr):
            low, high = _extent(body)
            where = _place(entries.loc_expr)
            if where is not None:
                yield Held(low, high, *where, name_of(variable), type_)
            return
        start = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
        base = int(start.value) if start is not None else 0
        for entry in entries:
            if isinstance(entry, BaseAddressEntry):
                base = entry.base_address
            elif isinstance(entry, LocationEntry):
                where = _place(entry.loc_expr)
                if where is not None:
                    start_at = 0 if entry.is_absolute else base
                    low, high = (
                        entry.begin_offset + start_at,
                        entry.end_offset + start_at,
                    )
                    yield Held(low, high, *where, name_of(variable), type_)


def _arguments(function: Any) -> tuple[str, ...]:
    found: list[str] = []
    for child in function.iter_children():
        if child.tag == "DW_TAG_formal_parameter":
            type_, _ = bare(type_of(origin(child)))
            size = (size_of(type_) or pointer_size(type_)) if type_ is not None else 0
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
    value = read_signed(expression[1:-1])
    return (REGISTERS[number], value) if value is not None else None


def _extent(body: Any) -> tuple[int, int]:
    """The first part of a function's code."""
    low = body.attributes.get("DW_AT_low_pc")
    high = body.attributes.get("DW_AT_high_pc")
    if low is None or high is None:
        return 0, 0
    size = high.value if high.form != "DW_FORM_addr" else high.value - low.value
    return int(low.value), int(low.value + size)
