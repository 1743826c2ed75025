# SPDX-License-Identifier: GPL-2.0
"""Prove the rewrites that pass all checks, and keep those proven equivalent."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from hotcocci.bench import run as bench
from hotcocci.bench.catalogue import X86_64, of_machine
from hotcocci.bench.counts import Difference, Line, Row, Table, broken, differences
from hotcocci.errors import TryAgain, UserError
from hotcocci.findings import (
    BENCH,
    DIFFERENT,
    NOT_PROVEN,
    PROVEN,
    Change,
    Check,
    Execution,
    Finding,
    Gain,
    Other,
    Proof,
    Rewrite,
    Skip,
)
from hotcocci.names import count
from hotcocci.pipeline.changes import Gated, Rewritten
from hotcocci.pipeline.gating import pass_gate
from hotcocci.pipeline.measured import Benched, Measured, keep
from hotcocci.pipeline.proving import prove
from hotcocci.pipeline.settings import Settings
from hotcocci.rewrite.diff import unified
from hotcocci.rules.offer import NO_GAIN, Refusal, refuse
from hotcocci.saves import is_of
from hotcocci.tree.kernel import Tree

# Seconds, for one boot
TIMEOUT = 600.0
_HUNK = re.compile(r"@@ -(\d+)")


@dataclass(frozen=True)
class Effect:
    """The effect of a change on operations; ``broken`` says which no longer work, or that the kernel does not."""

    differences: Sequence[Difference]
    broken: Sequence[str] = ()

    @property
    def pays(self) -> bool:
        """Whether some operation gets shorter, and none breaks."""
        return not self.broken and any(each.more < 0 for each in self.differences)


@dataclass(frozen=True)
class Bench:
    """A tree's own kernel: the instructions of each operation, and how often it runs which lines of the tree."""

    job: bench.Job
    own: Table
    lines: Mapping[Row, Mapping[Line, int]]

    @property
    def units(self) -> dict[str, str]:
        """The unit of each operation."""
        return {each.name: each.unit for each in self.job.operations}

    def rows(self, files: Sequence[Other]) -> list[Row]:
        """The operations that run a line that some files change."""
        wanted = frozenset(_changed(files))
        return [row for row, ran in self.lines.items() if ran.keys() & wanted]

    def of(self, files: Sequence[Other]) -> Effect | None:
        """The effect of some files on the operations that run a changed line of them; None if none does.

        Raises UserError.
        """
        rows = self.rows(files)
        if not rows:
            return None
        names = {name for name, _ in rows}
        job = replace(
            self.job, operations=[o for o in self.job.operations if o.name in names]
        )
        try:
            after = bench.measured(job, {each.file: each.new for each in files}).table
        except TryAgain:
            raise
        except UserError as error:
            # The tree's own kernel was built and got to the end.
            return Effect([], [str(error)])
        timed = {each.name for each in job.operations if each.timed}
        found = [d for d in differences(self.own, after) if d.row in rows]
        return Effect(found, broken(self.own, after, timed))


def own_kernel(tree: Tree, settings: Settings) -> Bench:
    """Build and boot the tree's own kernel. Raises UserError."""
    job = bench.Job(
        *(tree.root, X86_64, of_machine(X86_64)),
        *(settings.cache_dir, settings.jobs, TIMEOUT),
        titled=settings.observer.progress,
    )
    return Bench(job, *bench.lines_run(job))


def pass_bench(kernel: Bench, tree: Tree, gated: Gated, settings: Settings) -> Gated:
    """Leave out rewrites that an operation runs and that make none shorter; say of the others what they save.

    Each is measured alone, and what is said is of all of a file's. One that loses one of several is checked again. Raises UserError.
    """
    proofs = {proof.file: proof for proof in gated.proofs}
    refused: list[Finding] = list(gated.refused)
    passed: list[Rewritten] = []
    for change in gated.passed:
        made = {r: kernel.of(change.only([r]).files) for r in change.rewrites}
        gains = proofs[change.file].gains
        good = [r for r in made if _passes(r, made[r], gains, settings)]
        bad = {
            r: _refusal(found, kernel)
            for r, found in made.items()
            if r not in good and found is not None
        }
        # Counts are exact; what does not build, boot or end may be the machine's fault.
        exact = {r: Measured(refusal=w) for r, w in bad.items() if w.reason == NO_GAIN}
        keep(kernel.job.tree, exact, settings)
        refused += [refuse(r.finding, why) for r, why in bad.items()]
        left = [change]
        if len(good) < len(made):
            again = checked(tree, [change.only(good)] if good else [], settings)
            left, refused = list(again.passed), [*refused, *again.refused]
            proofs |= {proof.file: proof for proof in again.proofs}
        for each in left:
            effects = {r: found for r in each.rewrites if (found := made[r])}
            whole = next(iter(effects.values()), None)
            if len(effects) > 1:
                # What each saves alone is not what the patch saves.
                whole = kernel.of(each.files)
            if whole and whole.broken:
                why = _refusal(whole, kernel)
                refused += [refuse(r.finding, why) for r in each.rewrites]
                continue
            passed.append(each)
            told = _told(whole, kernel, effects) if whole else []
            ran = {r: Benched(_sentences(made[r], kernel)) for r in each.rewrites}
            keep(kernel.job.tree, ran, settings)
            proof = proofs[each.file]
            checks = (*proof.checks, *told, *_unseen(set(each.rewrites) - {*effects}))
            proofs[each.file] = replace(proof, checks=checks)
    return replace(
        gated,
        passed=tuple(passed),
        refused=tuple(refused),
        proofs=tuple(proofs[change.file] for change in passed),
    )


def with_bench(
    tree: Tree,
    wanted: Sequence[Change],
    proofs: Sequence[Proof],
    settings: Settings,
    one: bool,
) -> list[Proof]:
    """The proofs with what system calls take before and after each file's change. Raises UserError.

    If they are ``one`` patch, the kernel has all of it: its files may not compile without each other.
    """
    kernel = own_kernel(tree, settings)
    if one:
        files = dict.fromkeys(each for change in wanted for each in change.files)
        whole = kernel.of([*files])
        effects = {c.file: _of_rows(whole, kernel.rows(c.files[:1])) for c in wanted}
    else:
        effects = {c.file: kernel.of(c.files) for c in wanted}
    checks = {file: tuple(_checks(each, kernel)) for file, each in effects.items()}
    return [
        replace(proof, checks=(*proof.checks, *checks.get(proof.file, ())))
        for proof in proofs
    ]


def _of_rows(effect: Effect | None, rows: Collection[Row]) -> Effect | None:
    """The effect of a change on some operations; None if there are none."""
    if effect is None or not rows:
        return None
    return replace(effect, differences=[d for d in effect.differences if d.row in rows])


def _passes(
    rewrite: Rewrite, effect: Effect | None, gains: Sequence[Gain], settings: Settings
) -> bool:
    """Whether a rewrite is offered: no operation runs it, one gets shorter, or none longer and a fence is saved."""
    if effect is None or effect.pays:
        return True
    if effect.broken:
        return False
    # A fence is one instruction, and many cycles.
    fewer = any(
        gain.before.success.fences > gain.after.success.fences
        for gain in gains
        if is_of(gain, rewrite.finding) and gain.before.success and gain.after.success
    )
    same = not any(each.more for each in effect.differences)
    return settings.allow_no_gain or (fewer and same)


def sentence(each: Difference, unit: str, made: str) -> str:
    """ "epoll_wait(64 events): 7729 -> 6893 instructions (-13.1 per event), QEMU icount, 6.12, gcc 12.2.0, x86-64 with SMAP"."""
    name, size = each.row
    call = f"{name}({count(size, unit) if size > 1 else ''})"
    if not each.more:
        return f"{call}: {each.before.value:g} instructions, unchanged, {made}"
    return (
        f"{call}: {each.before.value:g} -> {each.after.value:g} instructions "
        f"({each.per(unit)}), {made}"
    )


def _checks(effect: Effect | None, kernel: Bench) -> Iterator[Check]:
    """The effect of a change that may be someone else's."""
    if effect is None:
        yield Check(BENCH, "skipped", "no benchmark runs a line that this changes")
        return
    yield from (Check(BENCH, "failed", said) for said in effect.broken)
    yield from _told(effect, kernel, {})


def _sentences(effect: Effect | None, kernel: Bench) -> tuple[str, ...]:
    """The effect of a change on operations, a sentence for each; none if no operation runs it."""
    found = _differing(effect) if effect else ()
    units, made = kernel.units, kernel.own.made
    return tuple(sentence(each, units[each.row[0]], made) for each in found)


def _told(
    effect: Effect, kernel: Bench, effects: Mapping[Rewrite, Effect]
) -> Iterator[Check]:
    """The joint effect of rewrites, each operation with the functions that it runs of those in ``effects``."""
    for each, one in zip(_differing(effect), _sentences(effect, kernel), strict=True):
        names = dict.fromkeys(
            f"{rewrite.finding.function}()"
            for rewrite, own in effects.items()
            if any(each.row == other.row for other in own.differences)
        )
        yield Check(BENCH, "passed", f"{', '.join(names)}: {one}" if names else one)


def _unseen(rewrites: Iterable[Rewrite]) -> list[Check]:
    """That no operation runs these."""
    names = sorted({f"{rewrite.finding.function}()" for rewrite in rewrites})
    return [Check(BENCH, "skipped", f"no benchmark reaches {name}") for name in names]


def _differing(effect: Effect) -> list[Difference]:
    """The operations that differ, the largest difference per unit first; one if none does."""
    found = effect.differences
    differing = [each for each in found if each.more] or found[:1]
    return sorted(differing, key=lambda d: d.per_unit)


def _refusal(effect: Effect, kernel: Bench) -> Refusal:
    if effect.broken:
        return Refusal("failed-proof", f"in a booted kernel: {effect.broken[0]}")
    said = "; ".join(_sentences(effect, kernel))
    return Refusal(NO_GAIN, f"no system call gets shorter: {said}")


def _changed(files: Sequence[Other]) -> Iterator[Line]:
    """The lines of the tree that changes remove; where one only adds some, the next one."""
    for each in files:
        at = 0
        lines = unified(each.file, each.old, each.new).splitlines()[2:]
        for kind, group in groupby(lines, key=lambda line: line[:1].replace("+", "-")):
            if kind == "@":
                at = int(_HUNK.findall("\n".join(group))[-1])
                continue
            gone = [line for line in group if line[:1] != "+"]
            if kind == "-":
                yield from ((each.file, at + n) for n in range(max(len(gone), 1)))
            at += len(gone)


def checked(tree: Tree, wanted: Sequence[Rewritten], settings: Settings) -> Gated:
    """Check the changes and, with --prove, prove those that pass."""
    gated = pass_gate(tree, wanted, settings)
    return pass_proof(tree, gated, settings) if settings.prove else gated


def pass_proof(tree: Tree, gated: Gated, settings: Settings) -> Gated:
    """Leave out rewrites that are not equivalent or, unless the settings allow it, not proven.

    A file that loses a rewrite passes the gate and the proof again.
    """
    passed: list[Rewritten] = []
    proofs: list[Proof] = []
    refused: dict[Rewrite, Refusal] = {}
    # A failed check of another target may be one of a damaged compiler.
    different: dict[Rewrite, Refusal] = {}
    unproven: list[Skip] = []
    checked = {proof.file: proof.checks for proof in gated.proofs}
    left, waiting = gated.left, list(gated.passed)
    while waiting:
        smaller: list[Rewritten] = []
        for change, proof in zip(waiting, prove(tree, waiting, settings), strict=True):
            good, bad = _split(change, proof, settings.allow_unproven)
            for rewrite, against in bad.items():
                if isinstance(against, Execution) and against.verdict != DIFFERENT:
                    unproven.append(Skip(change.file, _why(rewrite, against)))
                else:
                    refused[rewrite] = _disproved(against)
                    if isinstance(against, Execution):
                        different[rewrite] = refused[rewrite]
            if not bad:
                passed.append(change)
                # The checks of the gate and of the proof, each once.
                both = dict.fromkeys([*checked.get(proof.file, ()), *proof.checks])
                proofs.append(replace(proof, checks=tuple(both)))
            elif good:
                smaller.append(change.only(good))
        again = pass_gate(tree, smaller, settings)
        # Those that are not compiled are the same.
        left += replace(again.left, uncompiled=())
        waiting = list(again.passed)
    keep(tree.root, {r: Measured(refusal=w) for r, w in different.items()}, settings)
    return left + Gated(
        tuple(passed),
        tuple(refuse(r.finding, why) for r, why in refused.items()),
        proofs=tuple(proofs),
        unproven=tuple(unproven),
    )


def _split(
    change: Rewritten, proof: Proof, allow_unproven: bool
) -> tuple[list[Rewrite], dict[Rewrite, Execution | Check]]:
    """The rewrites of a file that pass, and the others with the check or execution that fails.

    A verdict applies to its function's rewrites, else to all of the file. So does a check that fails on
    another target than the gate's.
    """
    if proof.failed:
        return [], dict.fromkeys(change.rewrites, proof.failed[0])
    passing = {PROVEN, NOT_PROVEN} if allow_unproven else {PROVEN}
    bad: dict[Rewrite, Execution | Check] = {}
    for execution in (e for e in proof.executions if e.verdict not in passing):
        named = [r for r in change.rewrites if r.finding.function == execution.function]
        for rewrite in named or change.rewrites:
            bad.setdefault(rewrite, execution)
    return [rewrite for rewrite in change.rewrites if rewrite not in bad], bad


def _disproved(against: Execution | Check) -> Refusal:
    if isinstance(against, Check):
        said = against.detail.split("\n")[0]
        return Refusal("failed-proof", f"{against.name} failed: {said}")
    said = f"{against.function}() on {against.target}: {against.detail}"
    return Refusal("failed-proof", f"the rewrite is not equivalent: {said}")


def _why(rewrite: Rewrite, execution: Execution) -> str:
    """Return why a rewrite that was not disproved is left out."""
    where = f"line {rewrite.finding.line}"
    name = f"{execution.function}()" if execution.function else execution.unit
    said = f"{where}: {name} on {execution.target}"
    return f"{said} is not proven: {execution.detail}"
