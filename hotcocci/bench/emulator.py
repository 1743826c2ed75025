# SPDX-License-Identifier: GPL-2.0
"""Boot a kernel with the operations under QEMU, where one instruction is one tick of its clock."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hotcocci.bench.kernel import Image
from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run

QEMU = "qemu-system-x86_64"
# TCG: KVM does not count. "-cpu max" has SMAP.
_MACHINE = (
    "-M pc -accel tcg -cpu max -m 256 -nodefaults -display none -serial stdio -no-reboot "
    "-icount shift=0,sleep=off -rtc clock=vm"
).split()
# Without randomness, and without the calibration of the time stamp counter.
_APPEND = "console=ttyS0 tsc=reliable panic=-1 quiet nokaslr norandmaps"
# The last line of a run that was not cut off
_DONE = "done"

COUNTS = "i"
FAULTS = "f"
CALLS = "c"


def boot(
    image: Image, ramdisk: Path, mode: str, timeout: float, options: Iterable[str] = ()
) -> list[str]:
    """What the operations print in a mode. ``options`` are more of QEMU's; ``timeout`` is in seconds.

    Raises UserError without QEMU, or if the kernel crashes, and TryAgain if it hangs.
    """
    argv = [
        *(QEMU, *_MACHINE, *options),
        *("-kernel", str(image.boot), "-initrd", str(ramdisk)),
        *("-append", f"{_APPEND} -- {mode}"),
    ]
    try:
        outcome = run(argv, ramdisk.parent, timeout)
    except MissingProgram as error:
        raise UserError(f"bench needs {QEMU}: apt install qemu-system-x86") from error
    lines = outcome.out.replace("\r", "").splitlines()
    if _DONE not in lines[-3:]:
        told = [line.strip() for line in lines or outcome.err.splitlines()]
        last = next((line for line in reversed(told) if line), "no output")
        raise UserError(f"the {image.boot.stem} kernel did not get to the end: {last}")
    return lines
