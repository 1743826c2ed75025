# SPDX-License-Identifier: GPL-2.0
"""The machines to get type layouts for, and layouts as ``clang -fdump-record-layouts-canonical`` prints them.

::

         0 | struct probe_0
         0 |   struct epoll_event probed
         0 |     unsigned int events
         4 |     unsigned long long data
           | [sizeof=12, align=1]
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from hotcocci.c.headers import arch_of
from hotcocci.c.model import BOOL, INTEGER, MOST_ELEMENTS, POINTER, RECORD, integer

_LINE = re.compile(
    r"^\s*(?P<offset>\d+)(?P<bits>:[\d-]*)? \|(?P<indent> +)(?P<what>.*)$"
)
_END = re.compile(r"\[sizeof=(\d+), align=(\d+)\]")
_MEMBER = re.compile(r"(?P<type>.+?[\s)*\]])(?P<name>\w+)$")
_BOUNDS = re.compile(r"\[(\d*)\]")
_PROBE = re.compile(r"struct probe_\d+$")


@dataclass(frozen=True)
class Machine:
    """A clang target: triple, directory in arch/, size of a long in bytes, Kconfig symbols."""

    triple: str
    arch: str
    word: int
    settings: tuple[str, ...]


X86_64 = Machine("x86_64-linux-gnu", "x86", 8, ("64BIT", "X86", "X86_64"))
I386 = Machine("i386-linux-gnu", "x86", 4, ("32BIT", "X86", "X86_32"))
ARM = Machine("arm-linux-gnueabi", "arm", 4, ("32BIT", "ARM"))
ARM64 = Machine("aarch64-linux-gnu", "arm64", 8, ("64BIT", "ARM64"))
PPC32 = Machine("powerpc-linux-gnu", "powerpc", 4, ("32BIT", "PPC", "PPC32"))
PPC64 = Machine("powerpc64-linux-gnu", "powerpc", 8, ("64BIT", "PPC", "PPC64"))
MIPS = Machine("mips-linux-gnu", "mips", 4, ("32BIT", "MIPS"))
MIPS64 = Machine("mips64-linux-gnuabi64", "mips", 8, ("64BIT", "MIPS"))
S390 = Machine("s390x-linux-gnu", "s390", 8, ("64BIT", "S390"))
SPARC64 = Machine("sparc64-linux-gnu", "sparc", 8, ("64BIT", "SPARC", "SPARC64"))
RISCV64 = Machine("riscv64-linux-gnu", "riscv", 8, ("64BIT", "RISCV"))

# 32 bit, 32 bit with eight-byte types aligned to four, and 64 bit.
GENERIC = (ARM, I386, X86_64)
# Other machines that compile generic code; first the one that differs most often, after which none is asked.
ELSEWHERE = (MIPS, ARM64, PPC32, PPC64, MIPS64, S390, SPARC64, RISCV64)
# The same three for files of one architecture, as far as it has them.
OWN = {
    "x86": (I386, I386, X86_64),
    "arm": (ARM, ARM, ARM),
    "arm64": (ARM64, ARM64, ARM64),
    "powerpc": (PPC32, PPC32, PPC64),
    "mips": (MIPS, MIPS, MIPS64),
    "s390": (S390, S390, S390),
    "sparc": (SPARC64, SPARC64, SPARC64),
    "riscv": (RISCV64, RISCV64, RISCV64),
}


def machines_for(
    file: str,
) -> tuple[tuple[Machine, Machine, Machine], tuple[Machine, ...]]:
    """The three machines whose sizes are used for a file, and others that must agree."""
    own = OWN.get(arch_of(file))
    return (own, ()) if own is not None else (GENERIC, ELSEWHERE)


@dataclass(frozen=True)
class Placed:
    """A scalar in a record: its path ``.a.b[1]``, its offset and its size in bytes."""

    path: str
    kind: str
    offset: int
    size: int


@dataclass(frozen=True)
class Dumped:
    """A type on one machine; ``scalars`` is None if they cannot all be named."""

    kind: str
    size: int
    align: int
    word: int
    on_x86: bool
    scalars: tuple[Placed, ...] | None

    @property
    def parts(self) -> tuple[Placed, ...]:
        """Its scalars, or itself if it is one; empty if they cannot all be named."""
        if self.kind != RECORD:
            return (Placed("", self.kind, 0, self.size),)
        return self.scalars or ()

    @property
    def padding(self) -> bool:
        """Whether some bytes belong to no scalar; False if the scalars are unknown."""
        end = 0
        for one in self.scalars or ():
            if one.offset != end:
                return True
            end = one.offset + one.size
        return bool(self.scalars) and end != self.size

    @property
    def aligned(self) -> bool:
        """Whether all scalars and the whole type are naturally aligned."""
        scalars = self.scalars or ()
        widest = max((one.size for one in scalars), default=1)
        return self.align >= widest and not any(s.offset % s.size for s in scalars)


def dumped(text: str, machine: Machine) -> dict[str, Dumped]:
    """The types of the probes in clang's output, by the name of the probe."""
    found = {}
    for block in text.split("*** Dumping AST Record Layout")[1:]:
        lines = [m for line in block.splitlines() if (m := _LINE.match(line))]
        end = _END.search(block)
        if len(lines) < 2 or end is None or not _PROBE.match(lines[0]["what"]):
            continue
        name = lines[0]["what"].removeprefix("struct ")
        size, align = int(end[1]), int(end[2])
        x86 = machine.arch == "x86"
        type_, _ = _split(lines[1]["what"])
        if len(lines) > 2:
            scalars = _scalars(lines[2:], machine)
            found[name] = Dumped(RECORD, size, align, machine.word, x86, scalars)
        elif "[" not in type_ and (one := _one(type_, machine)) is not None:
            found[name] = Dumped(one[0], size, align, machine.word, x86, None)
    return found


def _split(what: str) -> tuple[str, str]:
    """A member's type and name; the name of an anonymous member is empty."""
    match = _MEMBER.match(what)
    if match is None or what.endswith(")"):
        return what.strip(), ""
    return match["type"].strip(), match["name"]


def _scalars(lines: list[re.Match[str]], machine: Machine) -> tuple[Placed, ...] | None:
    """The scalars of a record, including those of nested records.

    None if two of them share bytes, as in a union.
    """
    found: list[Placed] = []
    # The path of each enclosing record, by indentation.
    open_: list[tuple[int, str]] = []
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        indent = len(line["indent"])
        while open_ and open_[-1][0] >= indent:
            open_.pop()
        around = open_[-1][1] if open_ else ""
        type_, name = _split(line["what"])
        path = f"{around}.{name}" if name else around
        if following is not None and len(following["indent"]) > indent:
            open_.append((indent, path))
            continue
        made = None if line["bits"] else _elements(type_, path, line, machine)
        if made is None:
            return None
        found += made
    shared = any(b.offset < a.offset + a.size for a, b in pairwise(found))
    return None if shared or not found else tuple(found)


def _elements(
    type_: str, path: str, line: re.Match[str], machine: Machine
) -> list[Placed] | None:
    """A member that is a scalar, or the elements of a short array of them."""
    bounds = _BOUNDS.findall(type_)
    if type_.startswith(("struct ", "union ")) and not bounds and "*" not in type_:
        return []  # a record without members
    one = _one(type_.partition("[")[0].strip(), machine)
    if bounds[:1] in ([""], ["0"]):
        return []  # a flexible array takes no bytes
    count = int(bounds[0]) if bounds else 1
    if one is None or len(bounds) > 1 or count > MOST_ELEMENTS:
        return None
    kind, size = one
    return [
        Placed(
            f"{path}[{index}]" if bounds else path,
            kind,
            int(line["offset"]) + index * size,
            size,
        )
        for index in range(count)
    ]


def _one(type_: str, machine: Machine) -> tuple[str, int] | None:
    """The kind and size of a scalar; None if user accesses do not support its type."""
    if "(*" in type_ or type_.endswith(("*", "*const", "*volatile", "*restrict")):
        return POINTER, machine.word
    known = integer(type_)
    if known is None:
        return None
    return BOOL if known.boolean else INTEGER, known.size or machine.word
