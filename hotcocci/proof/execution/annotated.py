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

# How gcc's comments begin; those of powerpc have a space before.
COMMENT = re.compile(r" ?(?:#|//)")
INSN = re.compile(r"\((?:insn|call_insn|jump_insn)[/:\s]")
VOLATILE = re.compile(r"\(mem/[a-z/]*v[a-z/]*:(?!BLK)")
# What a call has on the stack: the second operand, on a line of its own.
STACKED = re.compile(r"\n\s*\(const_int (\d+) \[")
USE = re.compile(r"\(use \(reg(?:/[a-z/]*)?:(?P<mode>[A-Z]+) \d+ (?P<name>\w+)")
# Bytes of gcc's integer modes.
MODES = {"QI": 1, "HI": 2, "SI": 4, "DI": 8, "TI": 16}
# Registers of arguments by their order: of x86-64, ARM64 and powerpc.
ORDERS = (
    ("di", "si", "dx", "cx", "r8", "r9"),
    tuple(f"x{n}" for n in range(8)),
    tuple(str(n) for n in range(3, 11)),
)
PLACES = {name: n for order in ORDERS for n, name in enumerate(order)}
# Arguments as the table has them: three bits each for the bytes, from the fourth bit on.
# What is on the stack is in the highest bits, in units of eight bytes, up to 15 of them.
COUNT, FIRST, BITS = 8, 4, 3
WORDS, MOST, WORD = 28, 15, 8
SIZES = (0, 1, 2, 4, 8)
# readl(), this_cpu_read() and their kin: a move of an asm statement.
MOVE = re.compile(
    r"\s+mov[bwlq]?\s[^#;]*\(%"
    # Loads and stores of ARM64, and of powerpc: user accesses bear a label.
    r"|\s*(?:\w+:\s*)?(?:ld|st)\w*\s[^/;]*\["
    r"|\s*(?:\w+:\s*)?(?:l[bhw]|st[bhw])\w*\.?\s+%?r?\d+\s*,"
)
# But for what belongs to the running task (asm/current.h and asm/preempt.h of x86).
PER_TASK = re.compile(
    r"%[fg]s:(?:(?:const_)?pcpu_hot(?:\+8)?|(?:const_)?current_task|__preempt_count)\("
)
# What an alternative is not assembled for (asm/alternative-macros.h of ARM64)
LEFT_OUT, ENDED = re.compile(r"\s*\.if 0 == 1"), re.compile(r"\s*\.endif")
# array_index_mask_nospec() (arch/x86/include/asm/barrier.h)
BOUND = re.compile(r"\s[^#]*\bsbb")
VOLATILE_KIND, CALL_KIND, BOUND_KIND = 1, 2, 3


@dataclass(frozen=True)
class Uses:
    """What a call reads: the bytes of each register of arguments, and how much is on the stack.

    ``stacked`` counts units of eight bytes; MOST stands for as many or more.
    """

    sizes: tuple[int, ...]
    stacked: int = 0


NO_CALL = Uses(())


def annotated(text: str) -> str:
    """The assembly with a label at each instruction of interest, and a table of them."""
    found: list[str] = []
    table: list[str] = []
    for line, kind, uses in _lines(text):
        if kind:
            label = f".Lhotcocci{len(table)}"
            found.append(f"{label}:")
            packed = kind | uses.stacked << WORDS
            for n, size in enumerate(uses.sizes):
                packed |= SIZES.index(size) << FIRST + BITS * n
            table.append(f"\t.long {label} - ., {packed}")
        found.append(line)
    rows = "\n".join(table)
    return "\n".join(found) + f'\n\t.section {SECTION},"a"\n{rows}\n'


def _lines(text: str) -> Iterator[tuple[str, int, Uses]]:
    """Each line, with what the instruction is that it begins with."""
    listing: list[str] = []
    in_asm = left_out = False
    for line in text.split("\n"):
        comment = COMMENT.match(line)
        said = line[comment.end() :] if comment else ""
        if line.startswith("#APP"):
            in_asm = True
        elif line.startswith("#NO_APP"):
            in_asm = left_out = False
            listing = []
        elif in_asm and (LEFT_OUT.match(line) or left_out):
            left_out = not ENDED.match(line)
        elif said.startswith("("):
            listing = [said]
        elif comment and listing:
            listing.append(said)
        elif in_asm and MOVE.match(line) and not PER_TASK.search(line):
            yield line, VOLATILE_KIND, NO_CALL
            continue
        elif in_asm and BOUND.match(line):
            yield line, BOUND_KIND, NO_CALL
            continue
        elif listing and line.startswith("\t") and not line.startswith("\t."):
            yield line, *_meaning("\n".join(listing))
            listing = []
            continue
        yield line, 0, NO_CALL


def _meaning(listing: str) -> tuple[int, Uses]:
    """What an instruction is, by its RTL."""
    if listing.startswith("(call_insn"):
        sizes = [0] * COUNT
        for use in USE.finditer(listing):
            if use["name"] in PLACES and use["mode"] in MODES:
                size, place = MODES[use["mode"]], PLACES[use["name"]]
                # powerpc names its registers by their numbers, and they have four bytes.
                word = 4 if use["name"].isdigit() else 8
                for n in range(place, min(place + -(-size // word), COUNT)):
                    sizes[n] = min(size, word)
        stacked = STACKED.search(listing)
        words = -(-int(stacked[1]) // WORD) if stacked else 0
        return CALL_KIND, Uses(tuple(sizes), min(words, MOST))
    # What is known of the value is no access.
    pattern = listing.partition("(expr_list:")[0]
    if INSN.match(listing) and VOLATILE.search(pattern):
        return VOLATILE_KIND, NO_CALL
    return 0, NO_CALL


def table(data: bytes, base: int, order: str) -> Iterator[tuple[int, int, Uses]]:
    """The instructions of a table that lies at ``base``: address, kind, and what a call reads."""
    for at in range(0, len(data) - 7, 8):
        distance, packed = struct.unpack_from(f"{order}iI", data, at)
        sizes = tuple(
            SIZES[packed >> FIRST + BITS * n & (1 << BITS) - 1] for n in range(COUNT)
        )
        uses = Uses(sizes, packed >> WORDS)
        yield base + at + distance, packed & (1 << FIRST) - 1, uses
