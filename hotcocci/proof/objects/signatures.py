# SPDX-License-Identifier: GPL-2.0
"""Read parameters, results and stack variables of functions from debug information."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from elftools.dwarf.callframe import FDE
from elftools.dwarf.dwarf_expr import DWARFExprParser

from hotcocci.machine.dwarf import (
    POINTER,
    RECORDS,
    alignment_of,
    bare,
    members,
    name_of,
    origin,
    size_of,
    type_of,
    variables,
)
from hotcocci.machine.elf import ObjectFile

# The encoding of bool: DW_ATE_boolean
BOOLEAN = 2
# DW_OP_addr
_ADDRESS = 3
# What has the type of a variable that is declared before, or of one in an inlined function
_DECLARED = "DW_AT_specification", "DW_AT_abstract_origin"
_BASED = re.compile(r"DW_OP_breg(\d+)")


@dataclass(frozen=True)
class Local:
    """A variable: offset from the CFA and size in bytes, and whether it is a struct or union.

    With ``register``, a DWARF register number, the offset is relative to that register.
    """

    start: int
    size: int
    record: bool
    alignment: int
    register: int | None = None


def place(variable: Any) -> tuple[int | None, int] | None:
    """The register (None for the CFA, which is the frame base) and offset of a variable; None if it moves.

    Functions that align their stack use another register.
    """
    location = variable.attributes.get("DW_AT_location")
    if location is None or not isinstance(location.value, list):
        return None
    found = DWARFExprParser(variable.cu.structs).parse_expr(location.value)
    if [each.op_name for each in found] == ["DW_OP_fbreg"]:
        return None, found[0].args[0]
    based = _BASED.fullmatch(found[0].op_name) if len(found) == 1 else None
    return (int(based[1]), found[0].args[0]) if based else None


@dataclass(frozen=True)
class Value:
    """The type of a parameter or result; ``size`` in bytes.

    ``target`` is the size of what a pointer points to, 0 if unknown, None for other types;
    ``constant`` is set for pointers to const. ``record`` is set for structs and unions. ``made`` is set for pointers
    that the compiler passes: to its copy of a struct, which is constant, or to where a result goes. A ``boolean`` is 0 or 1.
    """

    size: int
    target: int | None = None
    constant: bool = False
    record: bool = False
    made: bool = False
    boolean: bool = False


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
        # The types of functions that pointers lead to
        self.typed: Counter[tuple[str, ...]] = Counter()
        self._locals: dict[str, tuple[Local, ...]] = {}
        self._variables: list[Any] = []
        elf = obj.linked()
        self._dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)
        for unit in self._dwarf.iter_CUs():
            for die in unit.get_top_DIE().iter_children():
                if "DW_AT_low_pc" in die.attributes or "DW_AT_ranges" in die.attributes:
                    self._bodies.append(die)
                if die.tag == "DW_TAG_subprogram" and "DW_AT_name" in die.attributes:
                    name = die.attributes["DW_AT_name"].value.decode()
                    self._functions.setdefault(name, []).append(die)
                elif die.tag == "DW_TAG_variable":
                    self._variables.append(die)
                elif die.tag == "DW_TAG_subroutine_type":
                    self.typed[tuple(map(_enumeration, (die, *_parameters(die))))] += 1
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

    def outside(self) -> dict[str, Signature]:
        """The functions that the object declares and does not define."""
        names = (
            name
            for name, dies in self._functions.items()
            if all("DW_AT_declaration" in die.attributes for die in dies)
        )
        found = ((name, self.of(name)) for name in names)
        return {name: each for name, each in found if each is not None}

    def enumerations(self) -> dict[str, list[str]]:
        """The answers of `_enumeration` for results and parameters of the functions that the object defines."""
        both = ((die, [die, *_parameters(die)]) for die in self._bodies)
        return {name_of(die): list(map(_enumeration, several)) for die, several in both}

    def locals(self, name: str) -> tuple[Local, ...]:
        """The stack variables of a function of the object."""
        name = name.partition(".")[0]
        if name not in self._locals:
            body = self._body(name)
            found = variables(body) if body is not None else ()
            both = (
                (place(each), each, bare(type_of(origin(each)))[0]) for each in found
            )
            self._locals[name] = tuple(
                Local(
                    *(where[1], size_of(kind), kind.tag in RECORDS),
                    *(alignment_of(origin(each)), where[0]),
                )
                for where, each, kind in both
                if where is not None and kind is not None
            )
        return self._locals[name]

    @cached_property
    def alignments(self) -> dict[str, int]:
        """What the variables that the object defines, and that are not on the stack, are aligned to."""
        bodies = ((b, each) for b in self._bodies for each in variables(b))
        found = dict[str, int]()
        for body, die in (*((None, each) for each in self._variables), *bodies):
            where = die.attributes.get("DW_AT_location")
            at = where.value if where and isinstance(where.value, list) else []
            if at[:1] == [_ADDRESS]:
                own = origin(die, links=_DECLARED)
                name = (
                    name_of(own)
                    if body is None
                    else f"{name_of(own)} of {name_of(body)}()"
                )
                found[name] = alignment_of(own)
        return found

    def frame(self, name: str, offset: int) -> tuple[int, int] | None:
        """The DWARF register and the number that make up the CFA at an offset into a function; None if unknown."""
        body = self._body(name.partition(".")[0])
        low = body.attributes.get("DW_AT_low_pc") if body is not None else None
        start = None if low is None else int(low.value)
        if start not in self._frames:
            return None
        entry, until = self._frames[start], start + offset
        rows = [row for row in entry.get_decoded().table if row["pc"] <= until]
        rule = rows[-1]["cfa"]
        return (rule.reg, rule.offset) if rule.reg is not None else None

    @cached_property
    def _frames(self) -> dict[int, Any]:
        """The descriptions of functions' frames, by their starts."""
        entries = self._dwarf.CFI_entries() if self._dwarf.has_CFI() else ()
        return {e["initial_location"]: e for e in entries if isinstance(e, FDE)}

    def _body(self, name: str) -> Any:
        return next((die for die in self._bodies if name_of(die) == name), None)

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
        parameters = tuple(map(self._value, _parameters(die)))
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
        if kind.tag == POINTER:
            target, constant = bare(type_of(kind))
            size = size_of(target) if target is not None else 0
            return Value(self._pointer, size, constant)
        record = kind.tag in RECORDS
        size = size_of(kind) or (0 if record else self._pointer)
        encoding = kind.attributes.get("DW_AT_encoding")
        boolean = encoding is not None and encoding.value == BOOLEAN
        return Value(size, record=record, boolean=boolean)


def redeclared(old: Signatures, new: Signatures) -> Iterator[str]:
    """The functions of other files that the new side declares with parameters or a result of other sizes, sorted."""
    both = old.outside(), new.outside()
    for name in sorted(both[0].keys() & both[1].keys()):
        was, now = (_sizes(each[name]) for each in both)
        if was != now:
            yield name


def less_aligned(old: Signatures, new: Signatures) -> Iterator[str]:
    """The variables that are not on the stack whose type asks for less alignment than before, sorted."""
    was, now = old.alignments, new.alignments
    yield from sorted(n for n in was.keys() & now.keys() if was[n] > now[n])


def retyped(old: Signatures, new: Signatures) -> Iterator[str]:
    """The functions with another enumeration, or a number instead: compatible in C, and not for control-flow integrity.

    So are types of pointers to functions, which have no name.
    """
    if old.typed - new.typed and new.typed - old.typed:
        yield ""
    was, now = old.enumerations(), new.enumerations()
    yield from sorted(n for n in was.keys() & now.keys() if was[n] != now[n])


def _parameters(die: Any) -> Iterator[Any]:
    return (c for c in die.iter_children() if c.tag == "DW_TAG_formal_parameter")


def _enumeration(die: Any) -> str:
    """The enumeration that a result or parameter is, or points to; empty if it is none."""
    kind, _ = bare(type_of(die))
    while kind is not None and kind.tag == POINTER:
        kind, _ = bare(type_of(kind))
    is_one = kind is not None and kind.tag == "DW_TAG_enumeration_type"
    return f"enum {name_of(kind)}" if is_one else ""


def _sizes(signature: Signature) -> list[int]:
    values = (signature.result, *signature.parameters)
    return [0 if value is None else value.size for value in values]


def _offset(record: Any, member: str) -> int | None:
    for name, inner, start, _ in members(record):
        if name == member:
            return start
        found = _offset(inner, member) if not name and inner.tag in RECORDS else None
        if found is not None:
            return start + found
    return None
