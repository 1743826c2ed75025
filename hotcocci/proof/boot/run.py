# SPDX-License-Identifier: GPL-2.0
"""Boot a kernel that contains both versions of changed functions, and read the results."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from hotcocci.engines.qemu import boot as boot_image
from hotcocci.errors import UserError
from hotcocci.findings import NOT_PROVEN, Execution
from hotcocci.proof.boot.kernel import Kernel, link, prepare_kernel
from hotcocci.proof.boot.outcome import TARGET, said_of, verdict
from hotcocci.proof.boot.subject import Subject
from hotcocci.proof.boot.subjects import subjects
from hotcocci.proof.gate import Change
from hotcocci.tree.kernel import Tree

# Time limit in seconds for one boot with all functions. Booting takes 1.5 s, a function 1 to 5.
TIMEOUT = 300.0


def boot(
    tree: Tree,
    changes: Sequence[Change],
    cache: Path,
    jobs: int,
    timeout: float = TIMEOUT,
) -> dict[str, tuple[Execution, ...]]:
    """Run each function that the changes touch; return the results by changed file.

    All functions that can be called run in one kernel; the others are NOT_PROVEN, with a reason.
    ``timeout`` is in seconds for one boot. Raises NoKernel if this tree cannot be booted,
    EngineMissing without QEMU, BuildError if another program is missing, and UserError if there is
    no room.
    """
    kernel = prepare_kernel(tree.root.resolve(), cache, jobs)
    try:
        with tempfile.TemporaryDirectory(prefix="hotcocci-boot-") as folder:
            return _boot(kernel, changes, Path(folder), jobs, timeout)
    except OSError as error:
        raise UserError(
            f"cannot boot: {error.filename or tempfile.gettempdir()}: {error.strerror}: "
            "free some space there, or name another folder in TMPDIR"
        ) from error


def fingerprint() -> bytes:
    """A hash of the code of this package, for use in a cache key.

    Results also depend on the change, the included files, the tree's kernel and its compiler.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.iterdir()):
        if path.suffix in (".py", ".c", ".h"):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def _boot(
    kernel: Kernel,
    changes: Sequence[Change],
    place: Path,
    jobs: int,
    timeout: float,
) -> dict[str, tuple[Execution, ...]]:
    found: dict[str, list[Execution]] = {change.file: [] for change in changes}
    callable_: list[Subject] = []
    for made in subjects(kernel.build.tree, kernel.build, changes, place, jobs):
        if isinstance(made, Subject):
            callable_.append(made)
        else:
            why = f"not called: {made.why}"
            result = Execution(TARGET, made.unit, made.function, NOT_PROVEN, why)
            found[made.file].append(result)
    if callable_:
        image = place / "bzImage"
        link(kernel, callable_, image, jobs)
        for subject, result in _call(callable_, image, timeout):
            found[subject.file].append(result)
    return {file: tuple(them) for file, them in found.items()}


def _call(
    called: Sequence[Subject], image: Path, timeout: float
) -> Iterator[tuple[Subject, Execution]]:
    """The verdicts on all functions; boot again after a function that the kernel does not survive."""
    done = 0
    while done < len(called):
        console = boot_image(
            image, f"kunit_shutdown=reboot hotcocci_skip={done}", timeout
        )
        waiting = called[done:]
        begun = [s for s in waiting if said_of(s.caller.symbol, console).begun]
        # If the first one does not start, it will not start next time either.
        for subject in begun or waiting:
            yield subject, verdict(subject, console, timeout)
        done += len(begun or waiting)
