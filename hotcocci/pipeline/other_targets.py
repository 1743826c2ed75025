# SPDX-License-Identifier: GPL-2.0
"""The checks of a change on other targets than the usual one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hotcocci.findings import Check, Gain, Proof, Rewrite
from hotcocci.pipeline.checks import check_changes
from hotcocci.pipeline.settings import Settings
from hotcocci.proof import gate
from hotcocci.proof.worth import smaller
from hotcocci.rules.rulebook import rule
from hotcocci.tree.build import BuildError, prepare
from hotcocci.tree.kernel import Tree
from hotcocci.tree.target import Target
from hotcocci.tree.targets import KERNELS, among, compiled_for, usual
from hotcocci.tree.targets.arm64 import ARM64
from hotcocci.tree.targets.powerpc_book3s64 import POWERPC_BOOK3S64
from hotcocci.tree.targets.x86_64 import X86_64

# Compiled for if x86-64 gains nothing: most extensions are free there.
_OTHERS = (ARM64, POWERPC_BOOK3S64)


def with_extra_targets(
    tree: Tree,
    todo: Sequence[gate.Change],
    proofs: Mapping[str, Proof],
    settings: Settings,
) -> dict[str, Proof]:
    """The proofs of x86-64, with those of the extra targets.

    Raises UserError if nothing can be compiled for a target that was named.
    """
    made = dict(proofs)
    if usual(tree.root) != X86_64:
        return made
    for target in KERNELS:
        wanted = [c for c in todo if target in among(settings.extra_targets, c.file)]
        if target != X86_64:
            made = _with_target(tree, target, wanted, made, settings)
    return made


def with_shrinking_targets(
    tree: Tree,
    todo: Sequence[gate.Change],
    rewrites: Mapping[str, Sequence[Rewrite]],
    proofs: Mapping[str, Proof],
    settings: Settings,
) -> dict[str, Proof]:
    """The proofs, with those of other targets where a change has yet to be shown to shrink code.

    ``rewrites`` are those of each file. A target that nothing can be compiled for is a check
    that was skipped.
    """
    made = dict(proofs)
    if usual(tree.root) != X86_64:
        return made
    for target in _OTHERS:
        wanted = [
            change
            for change in todo
            if not_smaller(rewrites[change.file], made[change.file])
            and target in compiled_for(change.file, everywhere=True)
            and target.name not in {g.target for g in made[change.file].gains}
        ]
        made = _with_target(tree, target, wanted, made, settings)
    return made


def not_smaller(rewrites: Sequence[Rewrite], proof: Proof) -> str:
    """The first function that was to become smaller and did not on any target, with its counts."""
    for rewrite in rewrites:
        if not rule(rewrite.finding.rule).must_shrink:
            continue
        name = rewrite.finding.function or "?"
        own = [gain for gain in proof.gains if gain.function.endswith(name)]
        if not any(smaller(gain.before, gain.after) for gain in own):
            return f"{name}(): {', '.join(map(_counts, own)) or 'nothing of it that was compiled changes'}"
    return ""


def _counts(gain: Gain) -> str:
    before, after = gain.before, gain.after
    return (
        f"{before.whole.instructions} instructions of {before.size} bytes become "
        f"{after.whole.instructions} of {after.size} on {gain.target}"
    )


def _with_target(
    tree: Tree,
    target: Target,
    wanted: Sequence[gate.Change],
    proofs: Mapping[str, Proof],
    settings: Settings,
) -> dict[str, Proof]:
    """The proofs, with the checks of the wanted changes on one more target.

    If nothing can be compiled for it, the check is skipped, unless the user named the target.
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
    more = check_changes(tree, wanted, build, settings)
    return made | {file: _both(made[file], proof) for file, proof in more.items()}


def _both(own: Proof, other: Proof) -> Proof:
    """All checks of a file, which is not foreign once it is compiled for its own architecture."""
    known = [c for c in own.checks if not (other.compiled and gate.FOREIGN in c.detail)]
    checks = dict.fromkeys((*known, *other.checks))
    return replace(own, checks=tuple(checks), gains=(*own.gains, *other.gains))
