# SPDX-License-Identifier: GPL-2.0
"""Machines that kernels are booted on; machines/ has one data file for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import tomllib

from hotcocci.records import rebuilt
from hotcocci.tree.targets import Target

# What the kernels of all machines have, and what they do not
ON = (
    "PRINTK",
    "TTY",
    "BINFMT_ELF",
    "BLK_DEV_INITRD",
    "PROC_FS",
    "SYSFS",
    "DEVTMPFS",
    "HIGH_RES_TIMERS",
    "BUG",
    "CC_OPTIMIZE_FOR_PERFORMANCE",
    # The line of each instruction; it changes no code.
    "DEBUG_KERNEL",
    "DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT",
    "DEBUG_INFO_REDUCED",
    # modules_prepare does nothing without it.
    "MODULES",
)
OFF = (
    # A second processor would make the order of instructions depend on more than the program.
    "SMP",
    "CC_OPTIMIZE_FOR_SIZE",
    "VT",
    "INPUT",
    "SERIO",
    "UNIX98_PTYS",
    "WERROR",
    # Runs git on the tree.
    "LOCALVERSION_AUTO",
    "DEBUG_INFO_BTF",
    "DEBUG_INFO_NONE",
    "DEBUG_MISC",
    "RUST",
)


@dataclass(frozen=True)
class Machine:
    """One machine of QEMU.

    ``name`` is that on the command line and in the heads of operations, ``native`` that of uname()
    where programs for it run, ``target`` what its kernel is built for, without the
    symbols of operations. ``image`` is the file of a build that boots, ``goal`` what make is asked
    for. ``qemu`` is the emulator and its options, ``append`` are parameters of the kernel, and
    ``kernel`` is its lowest address. ``guard`` is what keeps it from user memory, which windows open. ``order`` is its place in lists. The packages of ``target`` include those of QEMU and operations.
    """

    name: str
    order: int
    native: str
    target: Target
    goal: str
    image: str
    qemu: tuple[str, ...]
    append: str
    kernel: int = 1 << 63
    guard: str = ""


def _read() -> Iterator[Machine]:
    """The machines of the data files: one each, and others with the same kernel."""
    for file in Path(__file__).parent.glob("machines/*.toml"):
        data = tomllib.loads(file.read_text("utf-8"))
        for other in ({}, *data.pop("others", ())):
            machine = rebuilt(Machine, data | other)
            target = machine.target
            target = replace(target, on=(*ON, *target.on), off=(*OFF, *target.off))
            yield replace(machine, target=target)


MACHINES = {each.name: each for each in sorted(_read(), key=lambda each: each.order)}
X86_64 = MACHINES["x86-64"]
