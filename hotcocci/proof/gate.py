# SPDX-License-Identifier: GPL-2.0
"""The gate every rewrite passes before it is printed: did anything get worse?

Each check compares the file before and after with the same program, flags and headers;
only what is new counts. A check that cannot be made is skipped, and says why.
"""

from __future__ import annotations

import difflib
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from hotcocci.engines import checkpatch, messages, objtool, sparse
from hotcocci.findings import Check, Proof
from hotcocci.proof.compile import Compiled, compile_file
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command, commands, generate
from hotcocci.tree.includes import units
from hotcocci.tree.overlay import lay
from hotcocci.tree.source import decode

PASSED = "passed"
FAILED = "failed"
SKIPPED = "skipped"
# Lines of a complaint that a reader gets to see.
SHOWN = 5


@dataclass(frozen=True)
class Change:
    """One rewritten file: its name in the tree, both texts, and the diff between them."""

    file: str
    old: str
    new: str
    diff: str


def check(
    tree_root: Path, file: str, old: str, new: str, diff: str, build: Build | None
) -> Proof:
    """Check one rewritten file.

    ``build`` None means that nothing can be compiled, for which the caller has told the
    reason. Raises UserError if a program that kbuild needs is gone, and OSError if
    there is no room for temporary files; never because of what the rewrite is.
    """
    return next(check_all(tree_root, [Change(file, old, new, diff)], build, 1))


def check_all(
    tree_root: Path, changes: Iterable[Change], build: Build | None, jobs: int
) -> Iterator[Proof]:
    """Check many rewritten files, ``jobs`` at a time; proofs come as they are ready.

    Raises what check() raises. The work is done by the programs that are run, so
    threads are enough to keep ``jobs`` processors busy.
    """
    tree = tree_root.resolve()
    todo = list(changes)
    compiled_as = {
        change.file: units(tree, change.file) if build else () for change in todo
    }
    known: dict[str, Command] = {}
    if build:
        known = commands(
            build, {unit for them in compiled_as.values() for unit in them}
        )
    pool = ThreadPoolExecutor(max_workers=max(jobs, 1))
    try:
        waiting: set[Future[Proof]] = {
            pool.submit(_check, tree, change, build, compiled_as[change.file], known)
            for change in todo
        }
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _check(
    tree: Path,
    change: Change,
    build: Build | None,
    compiled_as: Sequence[str],
    known: dict[str, Command],
) -> Proof:
    checks: list[Check] = []
    if build is None:
        checks.append(Check("compile", SKIPPED, "the tree was not built"))
    elif not compiled_as:
        checks.append(Check(_compile_name(build), SKIPPED, "no .c file includes it"))
    else:
        with tempfile.TemporaryDirectory(prefix="hotcocci-proof-") as folder:
            place = Path(folder)
            # The users of the file are laid beside it, so that they find it there.
            others = {
                unit: _text(tree, unit) for unit in compiled_as if unit != change.file
            }
            lay(tree, {**others, change.file: change.old}, place / "old")
            lay(tree, {**others, change.file: change.new}, place / "new")
            for unit in compiled_as:
                checks += _unit(build, place, change.file, unit, known.get(unit))
    checks.append(_style(tree, change))
    return Proof(change.file, tuple(checks))


def _unit(
    build: Build, place: Path, file: str, unit: str, command: Command | None
) -> list[Check]:
    """The checks of one compilation that reads the changed file."""
    label = "" if unit == file else f" ({unit})"
    name = _compile_name(build) + label
    if _foreign(build, unit):
        return [
            Check(
                name,
                SKIPPED,
                f"it belongs to another architecture than {build.target.name}",
            )
        ]
    if command is None:
        return [Check(name, SKIPPED, "kbuild has no rule for it in this configuration")]
    before = compile_file(
        build, command, place / "old", place / "objects" / f"{unit}.old.o"
    )
    if before.object is None and "No such file or directory" in before.error:
        # Perhaps a header that make generates on the way (lib/crc32table.h).
        generate(build, unit)
        before = compile_file(
            build, command, place / "old", place / "objects" / f"{unit}.old.o"
        )
    if before.object is None:
        return [Check(name, SKIPPED, f"the original does not compile: {before.error}")]
    after = compile_file(
        build, command, place / "new", place / "objects" / f"{unit}.new.o"
    )
    fresh = [str(message) for message in messages.new(before.messages, after.messages)]
    checks = [_verdict(name, fresh)]
    if after.object is None:
        return checks
    if build.objtool:
        checks.append(_objtool(f"objtool{label}", build, before.object, after.object))
    checks.append(_sparse(f"sparse{label}", build, place, before, after))
    return checks


def _compile_name(build: Build) -> str:
    return f"compile {build.target.name}"


def _foreign(build: Build, file: str) -> bool:
    """Whether a file stands in the folder of another architecture."""
    parts = file.split("/")
    return parts[0] == "arch" and parts[1] != build.target.folder


def _objtool(name: str, build: Build, before: Path, after: Path) -> Check:
    try:
        known = Counter(objtool.warnings(build, before))
    except objtool.ObjtoolError as error:
        return Check(name, SKIPPED, f"objtool cannot read the original: {error}")
    try:
        said = objtool.warnings(build, after)
    except objtool.ObjtoolError as error:
        return Check(name, FAILED, str(error))
    return _verdict(name, list((Counter(said) - known).elements()))


def _sparse(
    name: str, build: Build, place: Path, before: Compiled, after: Compiled
) -> Check:
    try:
        known = sparse.messages(build, before.argv, before.source, place / "old")
        said = sparse.messages(build, after.argv, after.source, place / "new")
    except sparse.SparseError as error:
        return Check(name, SKIPPED, str(error))
    return _verdict(name, [str(message) for message in messages.new(known, said)])


def _style(tree: Path, change: Change) -> Check:
    old, new = (text.splitlines(keepends=True) for text in (change.old, change.new))
    backwards = "".join(
        difflib.unified_diff(new, old, f"a/{change.file}", f"b/{change.file}")
    )
    try:
        fresh = checkpatch.new(tree, change.diff, backwards)
    except checkpatch.CheckpatchError as error:
        return Check("checkpatch", SKIPPED, str(error))
    return _verdict("checkpatch", [complaint.text for complaint in fresh])


def _verdict(name: str, fresh: Sequence[str]) -> Check:
    """Passed if nothing is new, else failed with the first lines of what is."""
    if not fresh:
        return Check(name, PASSED)
    left = [f"and {len(fresh) - SHOWN} more"] if len(fresh) > SHOWN else []
    return Check(name, FAILED, "\n".join([*fresh[:SHOWN], *left]))


def _text(tree: Path, file: str) -> str:
    return decode((tree / file).read_bytes())
