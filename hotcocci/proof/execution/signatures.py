# SPDX-License-Identifier: GPL-2.0
"""Read parameters and results of functions from debug information."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hotcocci.machine.dies import (
    RECORDS,
    bare,
    name_of,
    origin,
    size_of,
    type_of,
)
from hotcocci.machine.elf import ObjectFile
from hotcocci.proof.execution.locals import Local, on_stack, place


@dataclass(frozen=True)
class Value:
    """The type of a parameter or result; ``size`` in bytes.

    ``target`` is the size of what a pointer points to, 0 if unknown, None for other types;
    ``constant`` is set for pointers to const. ``record`` is set for structs and unions.
    """

    size: int
    target: int | None = None
    constant: bool = False
    record: bool = False


@dataclass(frozen=True)
class Signature:
    """The parameters and the result of a function; the result is None for void.

    ``variadic`` functions take further arguments of unknown type.
    """

    parameters: tuple[Value, ...]
    result: Value | None
    variadic: bool = False


class Signatures:
    """The functions that an object defines or calls; the object must be compiled with -g."""

    def __init__(self, obj: ObjectFile) -> None:
        self._pointer = obj.bits // 8
        self._functions: dict[str, list[Any]] = {}
        self._records: dict[str, Any] = {}
        self._bodies: list[Any] = []
        self._locals: dict[str, tuple[Local, ...]] = {}
        dwarf = obj.linked().get_dwarf_info(relocate_dwarf_sections=False)
        for unit in dwarf.iter_CUs():
            for die in unit.get_top_DIE().iter_children():
                if "DW_AT_low_pc" in die.attributes or "DW_AT_ranges" in die.attributes:
                    self._bodies.append(die)
                if die.tag == "DW_TAG_subprogram" and "DW_AT_name" in die.attributes:
                    name = die.attributes["DW_AT_name"].value.decode()
                    self._functions.setdefault(name, []).append(die)
                elif die.tag == "DW_TAG_structure_type" and die.has_children:
                    named = die.attributes.get("DW_AT_name")
                    if named is not None:
                        self._records.setdefault(named.value.decode(), die)
        self._known: dict[str, Signature | None] = {}

    def of(self, name: str) -> Signature | None:
        """The signature of a function, None if the object does not declare it."""
        # gcc's clones have the function's name and a suffix.
        name = name.partition(".")[0]
        if name not in self._known:
            dies = self._functions.get(name)
            self._known[name] = self._read(dies[0]) if dies else None
        return self._known[name]

    def locals(self, name: str) -> tuple[Local, ...]:
        """The stack variables of a function of the object."""
        name = name.partition(".")[0]
        if name not in self._locals:
            body = next((die for die in self._bodies if name_of(die) == name), None)
            found = on_stack(body) if body is not None else ()
            both = ((place(each), bare(type_of(origin(each)))[0]) for each in found)
            self._locals[name] = tuple(
                Local(where[1], size_of(kind), kind.tag in RECORDS, where[0])
                for where, kind in both
                if where is not None and kind is not None
            )
        return self._locals[name]

    def size(self, record: str) -> int:
        """The size of a struct in bytes, 0 if unknown."""
        die = self._records.get(record)
        return size_of(die) if die is not None else 0

    def offset(self, record: str, member: str) -> int | None:
        """The offset of a struct member in bytes, None if unknown.

        Members of anonymous structs count as members of the struct itself: with CONFIG_RANDSTRUCT
        those of a task are in one.
        """
        die = self._records.get(record)
        return _offset(die, member) if die is not None else None

    def _read(self, die: Any) -> Signature:
        parameters = tuple(
            self._value(child)
            for child in die.iter_children()
            if child.tag == "DW_TAG_formal_parameter"
        )
        result = self._value(die) if "DW_AT_type" in die.attributes else None
        variadic = any(
            child.tag == "DW_TAG_unspecified_parameters"
            for child in die.iter_children()
        )
        return Signature(parameters, result, variadic)

    def _value(self, die: Any) -> Value:
        kind, _ = bare(type_of(die))
        if kind is None:
            return Value(self._pointer)
        if kind.tag == "DW_TAG_pointer_type":
            target, constant = bare(type_of(kind))
            size = size_of(target) if target is not None else 0
            return Value(self._pointer, size, constant)
        record = kind.tag in RECORDS
        return Value(size_of(kind) or (0 if record else self._pointer), record=record)


def _offset(record: Any, member: str) -> int | None:
    for child in record.iter_children():
        if child.tag != "DW_TAG_member":
            continue
        place = child.attributes.get("DW_AT_data_member_location")
        start = place.value if place is not None else 0
        name = child.attributes.get("DW_AT_name")
        if name is None:
            inner, _ = bare(type_of(child))
            found = _offset(inner, member) if inner.tag in RECORDS else None
            if found is not None:
                return int(start + found)
        elif name.value.decode() == member:
            return int(start)
    return None


@lru_cache(maxsize=1)
def unknown() -> Signature:
    """A function of which nothing is known; its arguments cannot be compared."""
    return Signature((), Value(8))
