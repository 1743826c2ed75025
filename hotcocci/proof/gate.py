# SPDX-License-Identifier: GPL-2.0
"""The gate that every rewrite passes before it is printed: no new warnings or errors.

Each check compares the file before and after with the same program, flags and headers; only new
messages count. A check that cannot be made is skipped, with a reason.
"""

import difflib
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from hotcocci.engines import checkpatch, compiler, objtool
from hotcocci.engines.compiler import Compiled, compile_file, sparse
from hotcocci.errors import EngineError, TryAgain
from hotcocci.findings import STYLE, Change, Check, Gain, Other, Proof
from hotcocci.proof import costs, ranges
from hotcocci.proof.changed import aligned
from hotcocci.proof.objects.apart import KEEP, apart, cut
from hotcocci.proof.objects.headers import Headers, leading
from hotcocci.rewrite.diff import unified
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command, Unit, commands, generate, odd_name
from hotcocci.tree.includes import built_units, foreign
from hotcocci.tree.source import decode, encode, lay, moved, read

PASSED = "passed"
FAILED = "failed"
SKIPPED = "skipped"
NOT_COMPILED = "the original does not compile"
# The compiler's message for a missing header.
MISSING = "No such file or directory"
# What outlives its block is undefined, and the same code where nothing takes its place. C of 2023, as a label at the end
# of a block, is for gcc 11 and later; kernels allow older ones (Documentation/process/changes.rst).
SAID = ("dangling-pointer", "c11-c2x-compat")
WARNED = tuple(f for name in SAID for f in (f"-W{name}", f"-Wno-error={name}"))
# Older than that
ALLOWED = re.compile("binary constants are a C2. feature")
# Why a file of arch/ is not compiled for another architecture.
FOREIGN = "it belongs to another architecture"
# A complaint of sparse about locks, the function that it names, and locks that the compiler releases
IMBALANCE = re.compile(r"context imbalance in '(\w+)'")
BODY = r"^[^\n;]*\b{name}\([^;{{]*\{{.*?^\}}"
GUARD = re.compile(r"\b(scoped_)?guard\(")
# What only functions that are left out call
_UNUSED = re.compile(
    r"^'(\w+)' defined but not used \[-Wunused-(?:function|const-variable=)\]$"
)
# At most this many lines of a check's messages are printed.
SHOWN = 5


def check_all(
    tree_root: Path, changes: Iterable[Change], build: Build | None, jobs: int
) -> Iterator[Proof]:
    """Check rewritten files, ``jobs`` at a time; yield each proof as it completes.

    Without ``build`` nothing is compiled; the caller has reported why. Raises UserError if a
    program that kbuild needs is missing, and OSError if there is no room for temporary files, never
    because of the rewrite. Threads suffice, because other programs do the work.
    """
    tree = tree_root.resolve()
    todo = list(changes)
    compiled_as = {
        change.file: built_units(tree, change.file, build.target.folder)
        if build
        else ()
        for change in todo
    }
    known: dict[str, Command] = {}
    if build:
        known = commands(
            build, {unit for them in compiled_as.values() for unit in them}
        )
    pool = ThreadPoolExecutor(max_workers=max(jobs, 1))
    try:
        waiting = [
            pool.submit(_check, tree, change, build, compiled_as[change.file], known)
            for change in todo
        ]
        for future in as_completed(waiting):
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
    """The checks of a change; one that was not made if the machine failed a program of any of them."""
    checks: list[Check] = []
    gains: list[Gain] = []
    name = _compile_name(build) if build else "compile"
    try:
        if build is None:
            checks.append(Check(name, SKIPPED, "the tree was not built"))
        elif not compiled_as:
            checks.append(Check(name, SKIPPED, "no .c file includes this file"))
        else:
            for proof in _units(tree, change, build, compiled_as, known):
                checks += proof.checks
                gains += proof.gains
        checks += [_style(tree, each) for each in (*change.others, change)]
    except TryAgain as error:
        failed = Check(name if build else STYLE, SKIPPED, str(error))
        return Proof(change.file, (failed,))
    return Proof(change.file, tuple(dict.fromkeys(checks)), tuple(gains))


def _units(
    tree: Path,
    change: Change,
    build: Build,
    compiled_as: Sequence[str],
    known: Mapping[str, Command],
) -> list[Proof]:
    """The checks of each compilation, without those that say nothing."""
    # The including files are copied too, so that they find the changed file next to them.
    texts = {u: decode(read(tree / u)) for u in compiled_as if u != change.file}
    with tempfile.TemporaryDirectory(prefix="hotcocci-proof-") as folder:
        place = Path(folder)
        lay(tree, texts | {each.file: each.old for each in change.files}, place / "old")
        lay(tree, texts | {each.file: each.new for each in change.files}, place / "new")
        made = [
            _unit(build, place, change, unit, known.get(unit), bool(texts))
            for unit in compiled_as
        ]
    return made


def _unit(
    build: Build,
    place: Path,
    change: Change,
    unit: str,
    command: Command | None,
    included: bool,
) -> Proof:
    """The checks and gains of one compilation that includes the changed file, which others may have ``included``."""
    label = "" if unit == change.file else f" ({unit})"
    name = _compile_name(build) + label

    def skipped(why: str) -> Proof:
        return Proof(change.file, (Check(name, SKIPPED, why),))

    if foreign(unit, build.target.folder):
        return skipped(f"{FOREIGN} than {build.target.name}")
    if command is None:
        why = "kbuild has no rule for it in this configuration"
        return skipped(odd_name(unit) or why)

    # Kernels that know the warning switch it off.
    more = WARNED if f"-Wno-{SAID[0]}" in command.argv else ()
    changed = frozenset(each.file for each in change.files)
    sides = _Sides(build, command, place, more, changed)

    brief = cache(sides.briefly)

    @cache
    def is_said_before() -> bool:
        after = brief("new")
        if after is None or not after.messages:
            return after is not None
        known = brief("old")
        return known is not None and not compiler.new(known.messages, after.messages)

    def compiled(state: str) -> Compiled:
        return (is_said_before() and brief(state)) or sides.compiled(state)

    @cache
    def before() -> Compiled:
        return compiled("old")

    after = compiled("new")
    if MISSING in after.error and MISSING in before().error:
        # It may be a generated header (lib/oid_registry_data.c): let make build it.
        generate(build, unit)
        before.cache_clear()
        after = compiled("new")
    if after.object is None and before().object is None:
        return skipped(f"{NOT_COMPILED}: {before().error}")
    fresh = compiler.new(before().messages if after.messages else (), after.messages)
    checks = [_verdict(name, [str(message) for message in fresh])]
    if after.object is None:
        return Proof(change.file, tuple(checks))
    checks.append(_objtool(f"objtool{label}", build, before, after.object))
    checks.append(_sparse(f"sparse{label}", build, place, after, change))
    if "unsafe_" in change.new:
        checks.append(_ranges(f"ranges{label}", build, place, command, change))
    gains: tuple[Gain, ...] = ()
    original = before().object if build.target.config else None
    if original is not None:
        try:
            gains = _gains(build, place, change, command, (original, after.object))
        except costs.CostsError as error:
            checks.append(Check(f"gain{label}", SKIPPED, str(error)))
    return Proof(change.file, tuple(checks), gains)


@dataclass(frozen=True)
class _Sides:
    """Two states of a unit, "old" and "new", with ``more`` flags, and what the headers are that both include.

    ``changed`` are the files that differ, of which none may be such a header.
    """

    build: Build
    command: Command
    place: Path
    more: Sequence[str]
    changed: Set[str]

    def compiled(self, state: str, *flags: str) -> Compiled:
        """One state compiled, with other flags before these and after the command's own."""
        output = self.place / "objects" / state / f"{self.command.file}.o"
        where, after = self.place / state, (*self.more, *flags)
        made = compile_file(self.build, self.command, where, output, costs.FLAGS, after)
        said = tuple(m for m in made.messages if not ALLOWED.match(m.text))
        return replace(made, messages=said)

    def briefly(self, state: str) -> Compiled | None:
        """The same without functions of headers that it does not use, and what is said about those; None if that fails."""
        path, headers = self._path(state), self._headers
        rest = decode(read(path))[len(headers.lines) :] if headers else ""
        others = headers.included(path, rest, self.build.out) if headers else None
        if headers is None or others is None:
            return None
        unit, gone = headers.unit(str(path), rest, others)
        made = self._instead(state, unit)
        if made.object is None:
            return None
        names = decode(read(made.object)).split("\0")
        unused = ((m, _UNUSED.search(m.text)) for m in made.messages)
        said = tuple(m for m, one in unused if not (one and headers.uses(gone, one[1])))
        return replace(made, messages=said) if gone.isdisjoint(names) else None

    @cached_property
    def _headers(self) -> Headers | None:
        """The headers that the first lines of the file include; None if they, or the lines, differ between the states."""
        old, new = (leading(decode(read(self._path(s)))) for s in ("old", "new"))
        if not old or old != new:
            return None
        made = self._instead("old", Headers.probe(old), "-g0", "-E", "-dD")
        said = made.object if not made.messages else None
        found = Headers(old, decode(read(said)) if said else "")
        differs = any(map(found.has, self.changed))
        return found if found.said and not differs else None

    def _instead(self, state: str, text: str, *flags: str) -> Compiled:
        """A state compiled with another text in the place of that of its file."""
        path = self._path(state)
        given = read(path)
        path.write_bytes(encode(text))
        try:
            return self.compiled(state, *flags)
        finally:
            path.write_bytes(given)

    def _path(self, state: str) -> Path:
        return self.place / state / self.command.file


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
    except EngineError as error:
        return Check(name, FAILED, str(error))
    original = before().object if said else None
    if original is not None:
        try:
            said -= Counter(objtool.warnings(build, original))
        except EngineError as error:
            return Check(name, SKIPPED, f"objtool cannot read the original: {error}")
    return _verdict(name, list(said.elements()))


def _sparse(
    name: str, build: Build, place: Path, after: Compiled, change: Change
) -> Check:
    """Run sparse on the new file; on the old one, with the same command, if it reports anything."""
    try:
        said = sparse(build, after.argv, after.source, place / "new")
        if said:
            argv = moved(after.argv, place / "new", place / "old")
            source = place / "old" / after.source.relative_to(place / "new")
            known = sparse(build, argv, source, place / "old")
            said = compiler.new(known, said)
    except EngineError as error:
        return Check(name, SKIPPED, str(error))
    return _verdict(name, [str(m) for m in said if not _is_guarded(change, m)])


def _is_guarded(change: Change, message: compiler.Message) -> bool:
    """Whether sparse misses an unlock that may be there: it does not follow guard()."""
    found = IMBALANCE.match(message.text)
    if found is None or message.file != change.file:
        return False
    body = re.search(BODY.format(name=found[1]), change.new, re.MULTILINE | re.DOTALL)
    return body is not None and GUARD.search(body[0]) is not None


def _ranges(
    name: str, build: Build, place: Path, command: Command, change: Change
) -> Check:
    if _is_inside(build, place, command, change):
        return Check(name, PASSED)
    after = ranges.check(build, command, place / "new", place)
    if after == ranges.Ranges():
        return Check(name, PASSED)
    before = ranges.check(build, command, place / "old", place)
    if after.error or before.error:
        error = after.error or before.error
        return Check(name, SKIPPED, f"does not compile with the range checks: {error}")
    fresh = [
        *compiler.new(before.outside, after.outside),
        *compiler.new(before.unproved, after.unproved),
    ]
    unknown = compiler.new(before.unknown, after.unknown)
    if unknown and not fresh:
        return replace(_verdict(name, [str(m) for m in unknown]), outcome=SKIPPED)
    return _verdict(name, [str(m) for m in fresh])


def _is_inside(build: Build, place: Path, command: Command, change: Change) -> bool:
    """Whether all accesses in windows are in functions that a change reaches, and nothing is said of these.

    They are compiled as if others were in another file, which might open or end a window, or pass anything.
    """
    if change.others or not change.file.endswith(".c"):
        return False
    texts = aligned(change.file, change.old, change.new).texts
    unit = command.file
    around = "" if unit == change.file else decode(read(place / "new" / unit))
    both = {unit: around, change.file: texts[1]}
    left = dict(zip((unit, change.file), apart(texts, around)))
    reached = {f: cut(both[f], each) for f, each in left.items()}
    if not left or any(
        each.count("unsafe_") < both[f].count("unsafe_") for f, each in reached.items()
    ):
        return False
    lay(build.tree, reached, place / "reached")
    made = ranges.check(build, command, place / "reached", place, KEEP)
    return made == ranges.Ranges()


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


def _style(tree: Path, one: Other) -> Check:
    old, new = (text.splitlines(keepends=True) for text in (one.old, one.new))
    backwards = "".join(
        difflib.unified_diff(new, old, f"a/{one.file}", f"b/{one.file}")
    )
    try:
        fresh = checkpatch.new(tree, unified(one.file, one.old, one.new), backwards)
    except EngineError as error:
        return Check(STYLE, SKIPPED, str(error))
    return _verdict(STYLE, [complaint.text for complaint in fresh])


def _verdict(name: str, fresh: Sequence[str]) -> Check:
    """PASSED if there are no new messages, else FAILED with the first ones."""
    if not fresh:
        return Check(name, PASSED)
    left = [f"and {len(fresh) - SHOWN} more"] if len(fresh) > SHOWN else []
    return Check(name, FAILED, "\n".join([*fresh[:SHOWN], *left]))
