# SPDX-License-Identifier: GPL-2.0
"""The gate every rewrite passes before it is printed: did anything get worse?

Each check compares the file before and after with the same program, flags and headers;
only what is new counts. A check that cannot be made is skipped, and says why.
"""

from __future__ import annotations

import difflib
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from hotcocci.engines import checkpatch, messages, objtool, sparse
from hotcocci.findings import Check, Gain, Proof
from hotcocci.proof import costs, ranges
from hotcocci.engines.compiler import Compiled, compile_file
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command, commands, generate
from hotcocci.tree.includes import foreign, units
from hotcocci.tree.overlay import lay, moved
from hotcocci.tree.source import decode
from hotcocci.tree.unit import Unit

PASSED = "passed"
FAILED = "failed"
SKIPPED = "skipped"
# What the compiler says of a header that is not there.
MISSING = "No such file or directory"
# Why a file of arch/ is not compiled for another architecture.
FOREIGN = "it belongs to another architecture"
# At most this many lines of a check's messages are printed.
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
        change.file: units(tree, change.file, build.target.folder) if build else ()
        for change in todo
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
    gains: list[Gain] = []
    if build is None:
        checks.append(Check("compile", SKIPPED, "the tree was not built"))
    elif not compiled_as:
        checks.append(
            Check(_compile_name(build), SKIPPED, "no .c file includes this file")
        )
    else:
        with tempfile.TemporaryDirectory(prefix="hotcocci-proof-") as folder:
            place = Path(folder)
            _lay(tree, change, compiled_as, place)
            for unit in compiled_as:
                made = _unit(build, place, change, unit, known.get(unit))
                checks += made.checks
                gains += made.gains
    checks.append(_style(tree, change))
    return Proof(change.file, tuple(checks), tuple(gains))


def _lay(tree: Path, change: Change, compiled_as: Sequence[str], place: Path) -> None:
    """The trees that are compiled: before and after, with the users of the file."""
    # The users of the file are laid beside it, so that they find it there.
    texts = {u: _text(tree, u) for u in compiled_as if u != change.file}
    lay(tree, {**texts, change.file: change.old}, place / "old")
    lay(tree, {**texts, change.file: change.new}, place / "new")


def _unit(
    build: Build, place: Path, change: Change, unit: str, command: Command | None
) -> Proof:
    """The checks and the gains of one compilation that reads the changed file."""
    label = "" if unit == change.file else f" ({unit})"
    name = _compile_name(build) + label
    if foreign(unit, build.target.folder):
        why = f"{FOREIGN} than {build.target.name}"
        return Proof(change.file, (Check(name, SKIPPED, why),))
    if command is None:
        why = "kbuild has no rule for it in this configuration"
        return Proof(change.file, (Check(name, SKIPPED, why),))

    def compiled(state: str) -> Compiled:
        output = place / "objects" / state / f"{unit}.o"
        return compile_file(build, command, place / state, output, costs.FLAGS)

    @cache
    def before() -> Compiled:
        return compiled("old")

    after = compiled("new")
    if MISSING in after.error and MISSING in before().error:
        # Perhaps a header that make generates on the way (lib/oid_registry_data.c).
        generate(build, unit)
        before.cache_clear()
        after = compiled("new")
    if after.object is None and before().object is None:
        why = f"the original does not compile: {before().error}"
        return Proof(change.file, (Check(name, SKIPPED, why),))
    fresh = messages.new(before().messages if after.messages else (), after.messages)
    checks = [_verdict(name, [str(message) for message in fresh])]
    if after.object is None:
        return Proof(change.file, tuple(checks))
    checks.append(_objtool(f"objtool{label}", build, before, after.object))
    checks.append(_sparse(f"sparse{label}", build, place, after))
    if "unsafe_" in change.new:
        checks.append(_ranges(f"ranges{label}", build, place, command))
    gains: tuple[Gain, ...] = ()
    original = before().object if build.target.config else None
    if original is not None:
        try:
            gains = _gains(build, place, change, command, (original, after.object))
        except costs.CostsError as error:
            checks.append(Check(f"gain{label}", SKIPPED, str(error)))
    return Proof(change.file, tuple(checks), gains)


def _compile_name(build: Build) -> str:
    return f"compile {build.target.name}"


def _objtool(
    name: str, build: Build, before: Callable[[], Compiled], after: Path
) -> Check:
    if not build.objtool:
        why = f"this tree has no objtool for {build.target.name}"
        return Check(name, SKIPPED, why)
    try:
        said = Counter(objtool.warnings(build, after))
    except objtool.ObjtoolError as error:
        return Check(name, FAILED, str(error))
    original = before().object if said else None
    if original is not None:
        try:
            said -= Counter(objtool.warnings(build, original))
        except objtool.ObjtoolError as error:
            return Check(name, SKIPPED, f"objtool cannot read the original: {error}")
    return _verdict(name, list(said.elements()))


def _sparse(name: str, build: Build, place: Path, after: Compiled) -> Check:
    """``after`` is compiled in ``new``; the same command serves in ``old``."""
    try:
        said = sparse.messages(build, after.argv, after.source, place / "new")
        if said:
            argv = moved(after.argv, place / "new", place / "old")
            source = place / "old" / after.source.relative_to(place / "new")
            known = sparse.messages(build, argv, source, place / "old")
            said = messages.new(known, said)
    except sparse.SparseError as error:
        return Check(name, SKIPPED, str(error))
    return _verdict(name, [str(message) for message in said])


def _ranges(name: str, build: Build, place: Path, command: Command) -> Check:
    after = ranges.look(build, command, place / "new", place)
    if after == ranges.Ranges():
        return Check(name, PASSED)
    before = ranges.look(build, command, place / "old", place)
    if after.error or before.error:
        error = after.error or before.error
        return Check(name, SKIPPED, f"does not compile with the range checks: {error}")
    fresh = [
        *messages.new(before.outside, after.outside),
        *messages.new(before.unproved, after.unproved),
    ]
    unknown = messages.new(before.unknown, after.unknown)
    if unknown and not fresh:
        return replace(_verdict(name, [str(m) for m in unknown]), outcome=SKIPPED)
    return _verdict(name, [str(m) for m in fresh])


def _gains(
    build: Build,
    place: Path,
    change: Change,
    command: Command,
    objects: tuple[Path, Path],
) -> tuple[Gain, ...]:
    lines = costs.changed(change.old, change.new)
    old, new = (
        costs.Side(Unit(build, command, root / command.file, root), path, touched)
        for root, path, touched in zip(
            (place / "old", place / "new"), objects, lines, strict=True
        )
    )
    return costs.gains(change.file, old, new)


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
