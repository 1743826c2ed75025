# SPDX-License-Identifier: GPL-2.0
"""What gcc knows of single instructions, kept in the object: volatile accesses, bounds on
speculation, and what calls take.

Machine code does not tell a volatile access from another, nor which registers a call through a
pointer reads. gcc's own listing does (-dP prints its RTL beside each instruction), so that a
label is put before these and a table is made of the labels.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

FLAGS = ("-S", "-dP")
SECTION = ".hotcocci.instructions"

INSN = re.compile(r"#\((?:insn|call_insn|jump_insn)[/:\s]")
VOLATILE = re.compile(r"\(mem/[a-z/]*v[a-z/]*:(?!BLK)")
USE = re.compile(r"\(use \(reg(?:/[a-z/]*)?:(?P<mode>[A-Z]+) \d+ (?P<name>\w+)")
# Bytes of gcc's integer modes.
MODES = {"QI": 1, "HI": 2, "SI": 4, "DI": 8}
# Registers as the table has them, four bits each: 0 is none, then the six of the convention.
NAMES = ("di", "si", "dx", "cx", "r8", "r9")
# readl() and its kin: a move of an asm statement that names no per-CPU variable.
MOVE = re.compile(r"\s+mov[bwlq]?\s[^#;]*\(%")
PER_CPU = ("%gs:", "%fs:")
# array_index_mask_nospec() (arch/x86/include/asm/barrier.h)
BOUND = re.compile(r"\s[^#]*\bsbb")
VOLATILE_KIND, CALL_KIND, BOUND_KIND = 1, 2, 3


@dataclass(frozen=True)
class Uses:
    """The registers that a call reads, by their place among those of arguments, with bytes."""

    sizes: tuple[int, ...]


def annotated(text: str) -> str:
    """The assembly with a label at each instruction of interest, and a table of them."""
    found: list[str] = []
    table: list[str] = []
    for line, kind, sizes in _lines(text):
        if kind:
            label = f".Lhotcocci{len(table)}"
            found.append(f"{label}:")
            packed = kind | sum(size << 4 * (n + 1) for n, size in enumerate(sizes))
            table.append(f"\t.long {label} - ., {packed}")
        found.append(line)
    rows = "\n".join(table)
    return "\n".join(found) + f'\n\t.section {SECTION},"a"\n{rows}\n'


def _lines(text: str) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """Each line, with what the instruction is that it begins with."""
    listing: list[str] = []
    in_asm = False
    for line in text.split("\n"):
        if line.startswith("#APP"):
            in_asm = True
        elif line.startswith("#NO_APP"):
            in_asm, listing = False, []
        elif line.startswith("#("):
            listing = [line]
        elif line.startswith("#") and listing:
            listing.append(line)
        elif in_asm and MOVE.match(line) and not any(p in line for p in PER_CPU):
            yield line, VOLATILE_KIND, ()
            continue
        elif in_asm and BOUND.match(line):
            yield line, BOUND_KIND, ()
            continue
        elif listing and line.startswith("\t") and not line.startswith("\t."):
            yield line, *_meaning("\n".join(listing))
            listing = []
            continue
        yield line, 0, ()


def _meaning(listing: str) -> tuple[int, tuple[int, ...]]:
    """What an instruction is, by its RTL."""
    if listing.startswith("#(call_insn"):
        sizes = [0] * len(NAMES)
        for use in USE.finditer(listing):
            if use["name"] in NAMES and use["mode"] in MODES:
                sizes[NAMES.index(use["name"])] = MODES[use["mode"]]
        return CALL_KIND, tuple(sizes)
    # What is known of the value is no access.
    pattern = listing.partition("(expr_list:")[0]
    if INSN.match(listing) and VOLATILE.search(pattern):
        return VOLATILE_KIND, ()
    return 0, ()


def table(data: bytes, base: int, order: str) -> Iterator[tuple[int, int, Uses]]:
    """The instructions of a table that lies at ``base``: address, kind, and what a call reads."""
    for at in range(0, len(data) - 7, 8):
        distance, packed = struct.unpack_from(f"{order}iI", data, at)
        sizes = tuple(packed >> 4 * (n + 1) & 0xF for n in range(len(NAMES)))
        yield base + at + distance, packed & 0xF, Uses(sizes)
