# SPDX-License-Identifier: GPL-2.0
"""Count the instructions of system calls before and after rewrites, in a booted kernel (docs/bench.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from hotcocci.bench import run as bench
from hotcocci.bench.catalogue import catalogue
from hotcocci.bench.counts import Difference, Row, Table, differences
from hotcocci.bench.profile import Line
from hotcocci.findings import BENCH, Check, Finding, Other, Proof
from hotcocci.pipeline.changes import Change, Gated
from hotcocci.pipeline.settings import Settings
from hotcocci.plural import count
from hotcocci.proof import gate
from hotcocci.rewrite.diff import unified
from hotcocci.rules.offer import NO_GAIN, Refusal, refuse
from hotcocci.tree.kernel import Tree

# Seconds, for one boot
TIMEOUT = 600.0
_HUNK = re.compile(r"@@ -(\d+)")


@dataclass(frozen=True)
class Bench:
    """A tree's own kernel: the instructions of each operation, and how often it runs which lines of the tree."""

    job: bench.Job
    own: Table
    lines: Mapping[Row, Mapping[Line, int]]

    def of(self, files: Sequence[Other]) -> list[Difference] | None:
        """The operations that run a changed line of some files, before and after; None if there are none.

        Raises UserError.
        """
        wanted = frozenset(_changed(files))
        rows = [row for row, ran in self.lines.items() if ran.keys() & wanted]
        if not rows:
            return None
        names = {name for name, _ in rows}
        job = replace(
            self.job, operations=[o for o in self.job.operations if o.name in names]
        )
        after = bench.measured(job, {each.file: each.new for each in files})
        return [d for d in differences(self.own, after) if d.row in rows]


def own_kernel(tree: Tree, settings: Settings) -> Bench:
    """Build and boot the tree's own kernel. Raises UserError."""
    job = bench.Job(
        *(tree.root, catalogue(), settings.cache_dir, settings.jobs, TIMEOUT),
        titled=settings.observer.progress,
    )
    return Bench(job, bench.measured(job), bench.lines_run(job))


def benched(
    tree: Tree,
    gated: Gated,
    settings: Settings,
    again: Callable[[Sequence[Change]], Gated],
) -> Gated:
    """Leave out rewrites that an operation runs and that make none shorter; say of the others what they save.

    Each is measured alone. ``again`` checks a file that loses one of several. Raises UserError.
    """
    if not gated.passed:
        return gated
    kernel = own_kernel(tree, settings)
    proofs = {proof.file: proof for proof in gated.proofs}
    refused: list[Finding] = list(gated.refused)
    passed: list[Change] = []
    for change in gated.passed:
        made = {r: kernel.of(_files(change.only([r]))) for r in change.rewrites}
        good = [r for r in made if settings.allow_no_gain or pays(made[r])]
        refused += [
            refuse(r.finding, _refusal(found, kernel))
            for r, found in made.items()
            if r not in good and found is not None
        ]
        left = [change]
        if len(good) < len(made):
            checked = again([change.only(good)] if good else [])
            left, refused = list(checked.passed), [*refused, *checked.refused]
            proofs |= {proof.file: proof for proof in checked.proofs}
        passed += left
        for each in left:
            checks = [
                check
                for r in each.rewrites
                for name in [f"{r.finding.function}()"]
                for check in _checks(name, made[r], kernel)
            ]
            proof = proofs[each.file]
            proofs[each.file] = replace(proof, checks=(*proof.checks, *checks))
    return replace(
        gated,
        passed=tuple(passed),
        refused=tuple(refused),
        proofs=tuple(proofs[change.file] for change in passed),
    )


def with_bench(
    tree: Tree,
    wanted: Sequence[gate.Change],
    proofs: Sequence[Proof],
    settings: Settings,
) -> list[Proof]:
    """The proofs with what system calls take before and after each file's change. Raises UserError."""
    kernel = own_kernel(tree, settings)
    checks = {
        change.file: tuple(_checks(change.file, kernel.of(files), kernel))
        for change in wanted
        for files in [(Other(change.file, change.old, change.new), *change.others)]
    }
    return [
        replace(proof, checks=(*proof.checks, *checks.get(proof.file, ())))
        for proof in proofs
    ]


def pays(found: Sequence[Difference] | None) -> bool:
    """Whether a change makes some operation shorter, or no operation runs it."""
    return found is None or any(each.more < 0 for each in found)


def sentence(each: Difference, unit: str, made: str) -> str:
    """ "epoll_wait(64 events): 7729 -> 6893 instructions (-13.1 per event), QEMU icount, 6.12, gcc 12.2.0"."""
    name, size = each.row
    call = f"{name}({count(size, unit) if size > 1 else ''})"
    if not each.more:
        return f"{call}: {each.before.value:g} instructions, unchanged, {made}"
    return (
        f"{call}: {each.before.value:g} -> {each.after.value:g} instructions "
        f"({each.per_unit:+.1f} per {unit}), {made}"
    )


def _checks(
    what: str, found: Sequence[Difference] | None, kernel: Bench
) -> Iterator[Check]:
    if found is None:
        yield Check(BENCH, "skipped", f"no benchmark reaches {what}")
        return
    for said in _sentences(found, kernel):
        yield Check(BENCH, "passed", f"{what}: {said}")


def _sentences(found: Sequence[Difference], kernel: Bench) -> list[str]:
    """The operations that differ, the largest difference per unit first; one if none does."""
    units = {each.name: each.unit for each in kernel.job.operations}
    differing = [each for each in found if each.more] or found[:1]
    return [
        sentence(each, units[each.row[0]], kernel.own.made)
        for each in sorted(differing, key=lambda d: d.per_unit)
    ]


def _refusal(found: Sequence[Difference], kernel: Bench) -> Refusal:
    said = "; ".join(_sentences(found, kernel)) or "its operations do not end"
    return Refusal(NO_GAIN, f"no system call gets shorter: {said}")


def _files(change: Change) -> list[Other]:
    """All files of a change."""
    return [Other(change.file, change.before, change.after), *change.others]


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
