# SPDX-License-Identifier: GPL-2.0
"""Running a kernel under QEMU until it ends, and taking down what its console says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import EngineMissing
from hotcocci.tree.process import MissingProgram, run

PROGRAM = "qemu-system-x86_64"
PACKAGE = "qemu-system-x86"
# Without KVM, which many machines do not have; "max" is the processor with SMAP. Nothing of the
# usual machine but a serial port, and a reset ends the program.
MACHINE = (
    "-accel tcg -cpu max -m 256 -nodefaults -display none -serial stdio -no-reboot"
).split()


@dataclass(frozen=True)
class Console:
    """What a kernel said, and whether it ended by itself (a reset, a panic with panic=-1)."""

    text: str
    ended: bool


def boot(image: Path, parameters: str, timeout: float) -> Console:
    """Boot a bzImage with these kernel parameters; it is killed after ``timeout`` seconds.

    A kernel that crashes ends by itself, and one that hangs does not: neither raises. Raises
    EngineMissing if QEMU is not installed or does not start.
    """
    argv = [
        *(PROGRAM, *MACHINE, "-kernel", str(image)),
        *("-append", f"console=ttyS0 panic=-1 {parameters}"),
    ]
    try:
        outcome = run(argv, image.parent, timeout)
    except MissingProgram as error:
        raise EngineMissing(
            f"no kernel can be booted without {PROGRAM}: install it (Debian: apt install {PACKAGE})"
        ) from error
    if outcome.status not in (0, None):
        said = outcome.err.strip().split("\n")[-1]
        raise EngineMissing(f"{PROGRAM} does not run here: {said}")
    return Console(outcome.out.replace("\r", ""), outcome.status == 0)
