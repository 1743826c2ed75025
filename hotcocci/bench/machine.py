# SPDX-License-Identifier: GPL-2.0
"""Machines that kernels are booted on; machines/ has one data file for each."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.tree.targets import Target


@dataclass(frozen=True)
class Machine:
    """One machine of QEMU.

    ``native`` is its name as uname() gives it, ``target`` what its kernel is built for, without the
    symbols of operations. ``image`` is the file of a build that boots, ``goal`` what make is asked
    for. ``qemu`` is the emulator and its options, ``package`` Debian's for it, and ``append`` are
    parameters of the kernel. ``compilers`` are Debian's packages to compile operations.
    """

    native: str
    target: Target
    goal: str
    image: str
    qemu: tuple[str, ...]
    package: str
    append: str
    compilers: str

    @property
    def name(self) -> str:
        """Its name on the command line and in the heads of operations."""
        return self.target.name.removesuffix("-bench")
