# SPDX-License-Identifier: GPL-2.0
"""Run a kernel under QEMU until it exits, and capture its console."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import EngineMissing
from hotcocci.tree.process import MissingProgram, run

PROGRAM = "qemu-system-x86_64"
PACKAGE = "qemu-system-x86"
# TCG, as KVM may be missing; "-cpu max" has SMAP. No devices but a serial port; exit on reset.
MACHINE = (
    "-accel tcg -cpu max -m 256 -nodefaults -display none -serial stdio -no-reboot"
).split()


@dataclass(frozen=True)
class Console:
    """Console output, and whether the kernel exited itself (a reset, or a panic with panic=-1)."""

    text: str
    ended: bool


def boot(image: Path, parameters: str, timeout: float) -> Console:
    """Boot a bzImage with these kernel parameters, and kill it after ``timeout`` seconds.

    A crash counts as an exit, a hang does not; neither raises. Raises EngineMissing if QEMU is
    not installed or does not start.
    """
    argv = [
        *(PROGRAM, *MACHINE, "-kernel", str(image)),
        *("-append", f"console=ttyS0 panic=-1 {parameters}"),
    ]
    try:
        outcome = run(argv, image.parent, timeout, until=True)
    except MissingProgram as error:
        raise EngineMissing(
            f"{PROGRAM} is not installed (Debian: apt install {PACKAGE})"
        ) from error
    if outcome.status not in (0, None):
        said = outcome.err.strip().split("\n")[-1]
        raise EngineMissing(f"{PROGRAM} does not run here: {said}")
    return Console(outcome.out.replace("\r", ""), outcome.status == 0)
