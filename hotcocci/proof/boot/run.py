# SPDX-License-Identifier: GPL-2.0
"""Booting a kernel that holds a change's functions twice, and what came of it."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hotcocci.engines.qemu import boot as boot_image
from hotcocci.errors import UserError
from hotcocci.findings import NOT_PROVEN, Execution
from hotcocci.proof.boot.arguments import NotCallable, arguments, collects, constants
from hotcocci.proof.boot.functions import Function, changed
from hotcocci.proof.boot.kernel import Kernel, NoKernel, link, prepare_kernel
from hotcocci.proof.boot.outcome import TARGET, execution, said_of
from hotcocci.proof.boot.subject import Subject, compile_both
from hotcocci.proof.gate import Change
from hotcocci.tree.command import Command, commands
from hotcocci.tree.includes import foreign, units
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import decode

# Seconds that a kernel with all functions may take. Booting takes 1.5 s, a function 1 to 10.
TIMEOUT = 300.0


def boot(
    tree: Tree,
    changes: Sequence[Change],
    cache: Path,
    jobs: int,
    timeout: float = TIMEOUT,
) -> dict[str, tuple[Execution, ...]]:
    """What came of each function that the changes touch, by changed file.

    All that can be called are called in one kernel; the others are not proven, and say why.
    ``timeout`` is in seconds, for one boot. Raises NoKernel if this tree cannot be booted,
    EngineMissing if there is no QEMU, BuildError if the kernel needs another program, and
    UserError if there is no room.
    """
    kernel = prepare_kernel(tree.root, cache, jobs)
    try:
        with tempfile.TemporaryDirectory(prefix="hotcocci-boot-") as folder:
            return _boot(tree, kernel, changes, Path(folder), jobs, timeout)
    except OSError as error:
        raise UserError(
            f"cannot boot: {error.filename or tempfile.gettempdir()}: {error.strerror}: "
            "free some space there, or name another folder in TMPDIR"
        ) from error


def fingerprint() -> bytes:
    """A hash of all that an outcome depends on besides the tree and the change."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.iterdir()):
        if path.suffix in (".py", ".c", ".h"):
            digest.update(path.read_bytes())
    return digest.digest()


def _boot(
    tree: Tree,
    kernel: Kernel,
    changes: Sequence[Change],
    place: Path,
    jobs: int,
    timeout: float,
) -> dict[str, tuple[Execution, ...]]:
    found: dict[str, list[Execution]] = {change.file: [] for change in changes}
    subjects: list[Subject] = []
    for made in _subjects(tree, kernel, changes, place):
        if isinstance(made, Subject):
            subjects.append(made)
        else:
            file, refused = made
            found[file].append(refused)
    if subjects:
        image = place / "bzImage"
        link(kernel, subjects, image, jobs)
        for subject, came in _call(subjects, image, timeout):
            found[subject.file].append(came)
    return {file: tuple(them) for file, them in found.items()}


def _call(
    subjects: Sequence[Subject], image: Path, timeout: float
) -> Iterator[tuple[Subject, Execution]]:
    """The verdicts of all; a kernel that does not get beyond one function is booted anew."""
    done = 0
    while done < len(subjects):
        console = boot_image(
            image, f"kunit_shutdown=reboot hotcocci_skip={done}", timeout
        )
        begun = [s for s in subjects[done:] if said_of(s.symbol, console).begun]
        # Where not even the first begins, none will the next time.
        for subject in begun or subjects[done:]:
            yield subject, execution(subject, console, timeout)
        done = done + len(begun) if begun else len(subjects)


def _subjects(
    tree: Tree, kernel: Kernel, changes: Sequence[Change], place: Path
) -> Iterator[Subject | tuple[str, Execution]]:
    """Every function of the changes, as a subject or as what it is not called for."""
    folder = kernel.build.target.folder
    compiled_as = {
        change.file: [
            unit
            for unit in units(tree.root, change.file, folder)
            if not foreign(unit, folder)
        ]
        for change in changes
    }
    known = commands(
        kernel.build, {unit for several in compiled_as.values() for unit in several}
    )
    number = 0
    for change in changes:
        for function in changed(change.old, change.new):
            refused: list[Execution] = []
            for unit in compiled_as[change.file]:
                number += 1
                made = place / f"{number}"
                try:
                    subject = _subject(
                        tree, kernel, change, unit, known.get(unit), function, made
                    )
                    yield subject
                except NotCallable as why:
                    refused.append(_not_called(unit, function, str(why)))
            if not compiled_as[change.file]:
                why = "it is not compiled for x86-64"
                refused.append(_not_called(change.file, function, why))
            for execution_ in refused:
                yield change.file, execution_


def _subject(
    tree: Tree,
    kernel: Kernel,
    change: Change,
    unit: str,
    command: Command | None,
    function: Function,
    place: Path,
) -> Subject:
    if command is None:
        raise NotCallable("kbuild has no rule for its file")
    made = arguments(tree.root, unit, function)
    symbol = f"hotcocci_{place.name}"
    before, after = (
        _texts(tree, unit, change.file, text) for text in (change.old, change.new)
    )
    objects = compile_both(
        kernel.build, command, (before, after), function, made, symbol, place
    )
    return Subject(
        function.name,
        change.file,
        unit,
        symbol,
        made,
        len(constants(function)),
        collects(function),
        objects,
    )


def _texts(tree: Tree, unit: str, file: str, text: str) -> Mapping[str, str]:
    own = decode((tree.root / unit).read_bytes())
    return {unit: own, file: text}


def _not_called(unit: str, function: Function, why: str) -> Execution:
    return Execution(
        TARGET, unit, function.name, NOT_PROVEN, f"not called, because {why}"
    )


__all__ = ["NoKernel", "boot", "fingerprint"]
