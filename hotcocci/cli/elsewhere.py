# SPDX-License-Identifier: GPL-2.0
"""What the gate says of a change on other targets than the usual one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hotcocci.cli.proofs import prove
from hotcocci.findings import Check, Proof
from hotcocci.pipeline.settings import Settings
from hotcocci.proof import gate
from hotcocci.tree.build import BuildError, prepare
from hotcocci.tree.kernel import Tree
from hotcocci.tree.target import Target
from hotcocci.tree.targets import KERNELS, among, usual
from hotcocci.tree.targets.x86_64 import X86_64


def with_asked(
    tree: Tree,
    todo: Sequence[gate.Change],
    proofs: Mapping[str, Proof],
    settings: Settings,
) -> dict[str, Proof]:
    """The proofs of x86-64, with those of the targets that ``--target`` names besides.

    Raises UserError if one that was named by itself cannot be compiled for.
    """
    made = dict(proofs)
    if usual(tree.root) != X86_64:
        return made
    for target in KERNELS:
        wanted = [c for c in todo if target in among(settings.extra_targets, c.file)]
        if target != X86_64:
            made = with_target(tree, target, wanted, made, settings)
    return made


def with_target(
    tree: Tree,
    target: Target,
    wanted: Sequence[gate.Change],
    proofs: Mapping[str, Proof],
    settings: Settings,
) -> dict[str, Proof]:
    """The proofs, to those of the wanted changes added what the gate says on one more target.

    One that nothing can be compiled for is a check that was skipped, unless the user named it.
    """
    made = dict(proofs)
    if not wanted:
        return made
    try:
        build = prepare(tree.root, target, settings.cache_dir, settings.jobs)
    except BuildError as error:
        if target.name in settings.extra_targets:
            raise
        missing = Check(f"compile {target.name}", gate.SKIPPED, str(error))
        return made | {
            c.file: _both(made[c.file], Proof(c.file, (missing,))) for c in wanted
        }
    more = prove(tree, wanted, build, settings)
    return made | {file: _both(made[file], proof) for file, proof in more.items()}


def _both(own: Proof, other: Proof) -> Proof:
    """What is known of a file, which is not foreign where it is compiled for its own architecture."""
    known = [c for c in own.checks if not (other.compiled and gate.FOREIGN in c.detail)]
    checks = dict.fromkeys((*known, *other.checks))
    return replace(own, checks=tuple(checks), gains=(*own.gains, *other.gains))
