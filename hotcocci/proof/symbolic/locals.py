# SPDX-License-Identifier: GPL-2.0
"""Where a function's locals are in its frame, as the debug information says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from elftools.dwarf.dwarf_expr import DWARFExprParser

from hotcocci.engines.machine.elf import ObjectFile
from hotcocci.proof.execution.signatures import size_of

BASED = re.compile(r"DW_OP_(?:fbreg|breg(\d+))$")


@dataclass(frozen=True)
class Local:
    """A local in memory: its bytes from the value of a register.

    Without one, from the frame's canonical address: where the stack was before the call.
    """

    register: int | None
    offset: int
    size: int


def locals_of(obj: ObjectFile) -> dict[str, tuple[Local, ...]]:
    """The locals of each function that have one place in memory, with those of what is inlined."""
    dwarf = obj.linked().get_dwarf_info(relocate_dwarf_sections=False)
    found: dict[str, tuple[Local, ...]] = {}
    for unit in dwarf.iter_CUs():
        parser = DWARFExprParser(unit.structs)
        for die in unit.get_top_DIE().iter_children():
            if die.tag != "DW_TAG_subprogram" or "DW_AT_low_pc" not in die.attributes:
                continue
            name = _name(die)
            if name:
                found[name] = tuple(_locals(die, parser))
    return found


def _name(die: Any) -> str:
    origin = die.attributes.get("DW_AT_abstract_origin")
    if "DW_AT_name" in die.attributes:
        return str(die.attributes["DW_AT_name"].value.decode())
    return _name(die.get_DIE_from_attribute("DW_AT_abstract_origin")) if origin else ""


def _locals(die: Any, parser: DWARFExprParser) -> Iterator[Local]:
    for child in die.iter_children():
        if child.tag in ("DW_TAG_variable", "DW_TAG_formal_parameter"):
            place = child.attributes.get("DW_AT_location")
            if place is None or place.form != "DW_FORM_exprloc":
                continue
            steps = parser.parse_expr(place.value)
            found = BASED.match(steps[0].op_name) if len(steps) == 1 else None
            size = size_of(child)
            if found and size:
                number = int(found[1]) if found[1] else None
                yield Local(number, steps[0].args[0], size)
        elif child.tag in ("DW_TAG_lexical_block", "DW_TAG_inlined_subroutine"):
            yield from _locals(child, parser)
