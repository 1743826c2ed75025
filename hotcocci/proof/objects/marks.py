# SPDX-License-Identifier: GPL-2.0
"""Mark windows, and instructions that need gcc's knowledge, in the object itself.

Machine code does not always show the range: on x86-64 access_ok() of a constant size checks the
base only. The file is compiled with our own linux/uaccess.h found first. It adds a NOP at each
begin and end of a window and at each range check, and a table of their addresses.

Nor does machine code distinguish a volatile access from another, or show which registers an indirect call
reads. gcc's assembly does: -dP prints the RTL next to each instruction. A second table has volatile
accesses, bounds on speculation and the argument registers of calls.
"""

import re
import shutil
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WINDOWS = ".hotcocci.marks"
# The condition on which an architecture takes one of two kinds of windows (include/linux/uaccess.h), and
# the flag to compile what others take.
MASKED = "can_do_masked_user_access()"
CLASSIC = "-DHOTCOCCI_CLASSIC"
# The flag to move each masked address, so that an access through the pointer that was not masked differs:
# a mask changes no address that user space may use, but a processor that speculates needs it.
SHIFTED = "-DHOTCOCCI_SHIFTED"
MASKS = re.compile(r"masked_user\w*_begin|scoped_(?:masked_)?user_\w+")
HEADER = "linux/uaccess.h"
# Its folder is named as the one of the kernel's own headers, one of which it is.
MARKED = "marks/include"
READ, WRITE = 1, 2
# Flag: the window is requested and may be refused.
ATTEMPT = 4
# Flag: a range check without a window.
CHECK = 8
# barrier() of linux/compiler.h: it emits no instruction, but is all that orders stores on
# strongly ordered processors.
BARRIER = 16

# The C source that takes the place of linux/uaccess.h
SHADOW = Path(__file__).with_suffix(".h")

# linux/compiler.h defines barrier() only if it is not defined yet.
_BARRIER = (
    '__asm__ __volatile__("771: nop\\n"'
    ' "\\t.pushsection .hotcocci.marks, \\"a\\"\\n"'
    f' "\\t.long 771b - ., {BARRIER}\\n"'
    ' "\\t.popsection\\n"'
)
BARRIERS = (
    f'-Dbarrier()={_BARRIER} ::: "memory")',
    f'-Dbarrier_data(ptr)={_BARRIER} :: "r"(ptr) : "memory")',
)
LISTING = ("-S", "-dP")
INSTRUCTIONS = ".hotcocci.instructions"
# How gcc's comments begin; those of powerpc have a leading space.
COMMENT = re.compile(r" ?(?:#|//)")
INSN = re.compile(r"\((?:insn|call_insn|jump_insn)[/:\s]")
VOLATILE = re.compile(r"\(mem/[a-z/]*v[a-z/]*:(?!BLK)")
# What a call has on the stack: the second operand, on a line of its own.
STACKED = re.compile(r"\n\s*\(const_int (\d+) \[")
USE = re.compile(r"\(use \(reg(?:/[a-z/]*)?:(?P<mode>[A-Z]+) \d+ (?P<name>\w+)")
ARM64 = re.compile(r"\(use \(reg\S* \d+ x\d")
# Bytes of gcc's integer modes.
MODES = {"QI": 1, "HI": 2, "SI": 4, "DI": 8, "TI": 16}
# Argument registers in order: x86-64, ARM64, powerpc.
ORDERS = (
    ("di", "si", "dx", "cx", "r8", "r9"),
    tuple(f"x{n}" for n in range(8)),
    tuple(str(n) for n in range(3, 11)),
)
PLACES = {name: n for order in ORDERS for n, name in enumerate(order)}
# A table entry: the kind in the low two bits, then three bits per argument for its size. The
# highest six bits tell what is on the stack, in units of four bytes.
COUNT, FIRST, BITS = 8, 2, 3
WORDS, MOST, WORD = 26, 63, 4
SIZES = (0, 1, 2, 4, 8)
# readl(), this_cpu_read() and friends: a move in an asm statement.
MOVE = re.compile(
    r"\s+mov[bwlq]?\s[^#;]*\(%"
    # ARM64 and powerpc loads and stores; user accesses have a label.
    r"|\s*(?:\w+:\s*)?(?:ld|st)\w*\s[^/;]*\["
    r"|\s*(?:\w+:\s*)?(?:l[bhw]|st[bhw])\w*\.?\s+%?r?\d+\s*,"
)
# Except for data of the current task (asm/current.h and asm/preempt.h of x86).
PER_TASK = re.compile(
    r"%[fg]s:(?:(?:const_)?pcpu_hot(?:\+8)?|(?:const_)?current_task|__preempt_count)\("
)
# The branch of an alternative that is not assembled (arm64 asm/alternative-macros.h)
LEFT_OUT, ENDED = re.compile(r"\s*\.if 0 == 1"), re.compile(r"\s*\.endif")
# array_index_mask_nospec() (arch/x86/include/asm/barrier.h)
BOUND = re.compile(r"\s[^#]*\bsbb")
VOLATILE_KIND, CALL_KIND, BOUND_KIND = 1, 2, 3
# What is not debug information, which is nearly all of an assembly: asm statements, comments and instructions
_TOLD = re.compile(
    r"^#APP.*\n(?:.*\n)*?(?:#NO_APP|\Z)|^ ?(?:#|//).*|^\t(?!\.).*", re.MULTILINE
)


def flags(scratch: Path, barriers: bool) -> tuple[str, ...]:
    """Compiler flags that leave marks in the object; writes the header below ``scratch``.

    ``barriers`` marks compiler barriers too.
    """
    header = scratch / MARKED / HEADER
    if not header.exists():
        header.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(SHADOW, header)
    return (f"-I{scratch / MARKED}", *(BARRIERS if barriers else ()))


def windows(data: bytes, base: int, order: str) -> dict[int, int]:
    """Read the marks of a section at ``base``: address to directions, 0 for an end."""
    return {base + at + distance: said for at, distance, said in _entries(data, order)}


def _entries(data: bytes, order: str) -> Iterator[tuple[int, int, int]]:
    """The offset of each entry of a table, the distance from there to its instruction, and what it says of that."""
    for number, each in enumerate(struct.iter_unpack(f"{order}iI", data)):
        yield 8 * number, *each


@dataclass(frozen=True)
class Uses:
    """The arguments that a call reads: the size in bytes of each in a register, 0 if not read, and the stack.

    ``stacked`` is in units of four bytes; MOST means that many or more.
    """

    sizes: tuple[int, ...]
    stacked: int = 0


NO_CALL = Uses(())


def annotated(text: str) -> str:
    """Return the assembly with a label at each instruction of interest, and a table of them."""
    found: list[str] = []
    table: list[str] = []
    end = 0
    for start, kind, uses in _instructions(text):
        label = f".Lhotcocci{len(table)}"
        found += (text[end:start], f"{label}:\n")
        end = start
        packed = kind | uses.stacked << WORDS
        for n, size in enumerate(uses.sizes):
            packed |= SIZES.index(size) << FIRST + BITS * n
        table.append(f"\t.long {label} - ., {packed}")
    rows = "\n".join(table)
    found.append(f'{text[end:]}\n\t.section {INSTRUCTIONS},"a"\n{rows}\n')
    return "".join(found)


def _instructions(text: str) -> Iterator[tuple[int, int, Uses]]:
    """Yield where each instruction of interest begins, its kind, and what it reads."""
    listing: list[str] = []
    in_asm = left_out = False
    for at, line in _told(text):
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
            yield at, VOLATILE_KIND, NO_CALL
        elif in_asm and BOUND.match(line):
            yield at, BOUND_KIND, NO_CALL
        elif listing and line.startswith("\t") and not line.startswith("\t."):
            kind, uses = _meaning("\n".join(listing))
            if kind:
                yield at, kind, uses
            listing = []


def _told(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line that may tell of an instruction, and where it begins."""
    for found in _TOLD.finditer(text):
        at = found.start()
        for line in found[0].split("\n"):
            yield at, line
            at += len(line) + 1


def _meaning(listing: str) -> tuple[int, Uses]:
    """Classify an instruction by its RTL."""
    if listing.startswith("(call_insn"):
        sizes = [0] * COUNT
        for use in USE.finditer(listing):
            if use["name"] in PLACES and use["mode"] in MODES:
                size, place = MODES[use["mode"]], PLACES[use["name"]]
                # powerpc registers are named by number and have four bytes.
                word = 4 if use["name"].isdigit() else 8
                for n in range(place, min(place + -(-size // word), COUNT)):
                    sizes[n] = min(size, word)
        stacked = STACKED.search(listing)
        words = -(-int(stacked[1]) // WORD) if stacked else 0
        if sizes[6] and ARM64.search(listing):
            # It does not say what is on the stack, where arguments go if few registers are left.
            words = MOST
        return CALL_KIND, Uses(tuple(sizes), min(words, MOST))
    # An expr_list only notes known values; it is not an access.
    pattern = listing.partition("(expr_list:")[0]
    if INSN.match(listing) and VOLATILE.search(pattern):
        return VOLATILE_KIND, NO_CALL
    return 0, NO_CALL


def instructions(data: bytes, base: int, order: str) -> Iterator[tuple[int, int, Uses]]:
    """Yield address, kind and argument sizes for each entry of a table located at ``base``."""
    for at, distance, packed in _entries(data, order):
        sizes = tuple(
            SIZES[packed >> FIRST + BITS * n & (1 << BITS) - 1] for n in range(COUNT)
        )
        uses = Uses(sizes, packed >> WORDS)
        yield base + at + distance, packed & (1 << FIRST) - 1, uses
