# SPDX-License-Identifier: GPL-2.0
"""Prove the rewrites that pass all checks, and keep those proven equivalent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hotcocci.findings import (
    DIFFERENT,
    NOT_PROVEN,
    PROVEN,
    Check,
    Execution,
    Finding,
    Proof,
    Rewrite,
    Skip,
)
from hotcocci.pipeline.benched import Bench, benched, own_kernel
from hotcocci.pipeline.changes import Gated, Rewritten
from hotcocci.pipeline.gating import pass_gate
from hotcocci.pipeline.measured import Measured, keep
from hotcocci.pipeline.proving import prove
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.offer import Refusal, refuse
from hotcocci.tree.kernel import Tree


@dataclass(frozen=True)
class _Split:
    """The rewrites of a file that pass, and the others with the check or execution that fails."""

    good: tuple[Rewrite, ...]
    bad: tuple[tuple[Rewrite, Execution | Check], ...]


def pass_all(tree: Tree, wanted: Sequence[Rewritten], settings: Settings) -> Gated:
    """Check the changes and, with --prove, prove and, with --bench, measure those that pass."""
    with settings.observer.progress("checking the rewrites"):
        gated = _checked(tree, wanted, settings)
    if not settings.bench or not gated.passed:
        return gated
    return pass_bench(own_kernel(tree, settings), tree, gated, settings)


def pass_bench(kernel: Bench, tree: Tree, gated: Gated, settings: Settings) -> Gated:
    """Leave out rewrites that make no system call shorter, though one runs them."""
    return benched(kernel, gated, settings, lambda some: _checked(tree, some, settings))


def _checked(tree: Tree, wanted: Sequence[Rewritten], settings: Settings) -> Gated:
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
    refusals: list[Finding] = list(gated.refused)
    held: list[Skip] = list(gated.held)
    unproven: list[Skip] = []
    waiting = list(gated.passed)
    while waiting:
        proven = _proofs(tree, waiting, settings)
        smaller: list[Rewritten] = []
        for change in waiting:
            split = _split(
                change,
                proven[change.file],
                settings.allow_unproven,
            )
            for rewrite, against in split.bad:
                if isinstance(against, Execution) and against.verdict != DIFFERENT:
                    unproven.append(Skip(change.file, _why(rewrite, against)))
                else:
                    refused[rewrite] = _refusal(against)
                    if isinstance(against, Execution):
                        different[rewrite] = refused[rewrite]
            if not split.bad:
                passed.append(change)
                proofs.append(proven[change.file])
            elif split.good:
                smaller.append(change.only(split.good))
        again = pass_gate(tree, smaller, settings)
        refusals += again.refused
        held += again.held
        waiting = list(again.passed)
    keep(tree.root, {r: Measured(refusal=w) for r, w in different.items()}, settings)
    refusals += [refuse(r.finding, why) for r, why in refused.items()]
    checked = {proof.file: proof for proof in gated.proofs}
    return replace(
        gated,
        passed=tuple(sorted(passed, key=lambda change: change.file)),
        refused=tuple(refusals),
        held=tuple(dict.fromkeys(held)),
        unproven=tuple(unproven),
        proofs=tuple(
            replace(proof, checks=_all(checked.get(proof.file), proof))
            for proof in sorted(proofs, key=lambda proof: proof.file)
        ),
    )


def _proofs(
    tree: Tree, wanted: Sequence[Rewritten], settings: Settings
) -> dict[str, Proof]:
    return {proof.file: proof for proof in prove(tree, wanted, settings)}


def _split(change: Rewritten, proof: Proof, allow_unproven: bool) -> _Split:
    """Split the rewrites of a file by verdict; a verdict applies to its function's rewrites, else to all.

    A check that fails on another target than the gate's applies to all rewrites of the file.
    """
    if proof.failed:
        return _Split((), tuple((r, proof.failed[0]) for r in change.rewrites))
    passing = {PROVEN, NOT_PROVEN} if allow_unproven else {PROVEN}
    against = [e for e in proof.executions if e.verdict not in passing]
    bad: dict[Rewrite, Execution] = {}
    for execution in against:
        named = [r for r in change.rewrites if r.finding.function == execution.function]
        for rewrite in named or change.rewrites:
            bad.setdefault(rewrite, execution)
    good = tuple(rewrite for rewrite in change.rewrites if rewrite not in bad)
    return _Split(good, tuple(bad.items()))


def _refusal(against: Execution | Check) -> Refusal:
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


def _all(before: Proof | None, proof: Proof) -> tuple[Check, ...]:
    """Merge the checks of the gate and the proof, without duplicates."""
    return tuple(dict.fromkeys([*(before.checks if before else ()), *proof.checks]))
