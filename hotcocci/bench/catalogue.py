# SPDX-License-Identifier: GPL-2.0
"""The catalogue of operations: a small C program each in operations/, whose head describes it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from hotcocci.bench.machine import Machine
from hotcocci.errors import UserError

FOLDER = Path(__file__).parent / "operations"
# What all operations share
MAIN = "main.c"
# What an architecture, and the macros that define system calls, put before their names
_ENTRY = re.compile(r"^__(?:x64|arm64|se|do)_(?=sys_)")
_FIELD = re.compile(r"^ \* (?P<name>[A-Z][a-z]+): (?P<value>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Operation:
    """One operation.

    ``unit`` is what it does once per unit of ``sizes``, ``reaches`` are functions of the kernel
    that it must call: "sys_x" is the entry of a system call, however the architecture names it, and
    "a|b" is a name that differs between kernels. ``options`` are the symbols of the configuration (without
    CONFIG_) that it needs, ``machines`` those that it runs on, if not all.
    ``timed`` is set if it writes times, which differ between kernels.
    """

    name: str
    unit: str
    sizes: tuple[int, ...]
    reaches: tuple[str, ...]
    options: tuple[str, ...]
    machines: tuple[str, ...] = ()
    timed: bool = False

    @property
    def source(self) -> Path:
        """Its program."""
        return FOLDER / f"{self.name}.c"

    def missed(self, ran: Collection[str]) -> list[str]:
        """Which of the functions that it must call are not among those that ran."""
        known = {_ENTRY.sub("", name) for name in ran} | set(ran)
        return [name for name in self.reaches if known.isdisjoint(name.split("|"))]


def catalogue() -> tuple[Operation, ...]:
    """All operations, by name."""
    sources = sorted(path for path in FOLDER.glob("*.c") if path.name != MAIN)
    return tuple(_operation(path) for path in sources)


def of_machine(machine: Machine) -> tuple[Operation, ...]:
    """The operations that a machine can run."""
    return tuple(
        each
        for each in catalogue()
        if not each.machines or machine.name in each.machines
    )


def chosen(
    patterns: Sequence[str], known: Sequence[Operation]
) -> tuple[Operation, ...]:
    """The known operations whose names match one of the patterns, as in a shell; all if there is none.

    Raises UserError for a pattern that no name matches.
    """
    for pattern in patterns:
        if not any(fnmatchcase(each.name, pattern) for each in known):
            raise UserError(
                f"there is no operation {pattern}: 'bench --list' lists all"
            )
    return tuple(
        each
        for each in known
        if not patterns or any(fnmatchcase(each.name, p) for p in patterns)
    )


def _operation(path: Path) -> Operation:
    head = path.read_text("ascii").partition("*/")[0]
    said = {match["name"]: match["value"] for match in _FIELD.finditer(head)}
    return Operation(
        path.stem,
        said["Unit"],
        tuple(map(int, said["Sizes"].split())),
        tuple(said["Reaches"].split()),
        tuple(said.get("Options", "").split()),
        tuple(said.get("Machines", "").split()),
        said.get("Bytes") == "times",
    )
