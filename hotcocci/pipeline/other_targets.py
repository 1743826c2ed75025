# SPDX-License-Identifier: GPL-2.0
"""Check changes on targets other than x86-64: those that are asked for, and a file's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hotcocci.findings import Check, Proof
from hotcocci.pipeline.checks import check_changes
from hotcocci.pipeline.preparing import prepared
from hotcocci.pipeline.settings import Settings
from hotcocci.proof import gate
from hotcocci.tree.build import BuildError
from hotcocci.tree.includes import foreign
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import KERNELS, X86_64, Target, among, compiled_for, usual


def with_extra_targets(
    tree: Tree,
    todo: Sequence[gate.Change],
    proofs: Mapping[str, Proof],
    settings: Settings,
) -> dict[str, Proof]:
    """Add the checks for the extra targets, and of a file of another architecture for that, to the proofs.

    Raises UserError if nothing can be compiled for a named target.
    """
    made = dict(proofs)
    if usual(tree.root) != X86_64:
        return made
    for target in KERNELS:
        wanted = [
            change
            for change in todo
            if target in among(settings.extra_targets, change.file)
            or foreign(change.file, X86_64.folder)
            and target in compiled_for(change.file)
        ]
        if target != X86_64:
            made = _with_target(tree, target, wanted, made, settings)
    return made


def _with_target(
    tree: Tree,
    target: Target,
    wanted: Sequence[gate.Change],
    proofs: Mapping[str, Proof],
    settings: Settings,
) -> dict[str, Proof]:
    """Add the checks for one more target to the proofs.

    If nothing can be compiled for it, the check is skipped, or UserError raised if the user named it.
    """
    made = dict(proofs)
    if not wanted:
        return made
    try:
        build = prepared(tree, target, settings)
    except BuildError as error:
        if target.name in settings.extra_targets:
            raise
        missing = Check(f"compile {target.name}", gate.SKIPPED, str(error))
        return made | {
            c.file: _both(made[c.file], Proof(c.file, (missing,))) for c in wanted
        }
    more = check_changes(tree, wanted, build, settings)
    return made | {file: _both(made[file], proof) for file, proof in more.items()}


def _both(own: Proof, other: Proof) -> Proof:
    """Merge the checks of a file, which is not foreign once it is compiled for its own architecture."""
    known = [c for c in own.checks if not (other.compiled and gate.FOREIGN in c.detail)]
    checks = dict.fromkeys((*known, *other.checks))
    return replace(own, checks=tuple(checks), gains=(*own.gains, *other.gains))
