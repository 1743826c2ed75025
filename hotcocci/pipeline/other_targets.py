# SPDX-License-Identifier: GPL-2.0
"""Check changes on targets other than x86-64."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hotcocci.findings import Check, Gain, Proof, Rewrite
from hotcocci.pipeline.checks import check_changes
from hotcocci.pipeline.preparing import prepared
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.worth import is_of
from hotcocci.plural import count
from hotcocci.proof import gate
from hotcocci.proof.worth import smaller
from hotcocci.rules.rulebook import rule
from hotcocci.tree.build import BuildError
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
    """Add the checks for the extra targets to the proofs.

    Raises UserError if nothing can be compiled for a named target.
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
    """Add the checks for other targets to the proofs of changes that must shrink code and did not yet.

    ``rewrites`` are by file. A target that nothing can be compiled for is a skipped check.
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
    """Return the first function that must shrink and does not on any target, with its counts."""
    for rewrite in rewrites:
        if not rule(rewrite.finding.rule).must_shrink:
            continue
        finding = rewrite.finding
        own = [gain for gain in proof.gains if is_of(gain, finding)]
        if not any(smaller(gain.before, gain.after) for gain in own):
            return f"{finding.function}(): {', '.join(map(_counts, own)) or 'its compiled code does not change'}"
    return ""


def _counts(gain: Gain) -> str:
    before, after = gain.before, gain.after
    return (
        f"{count(before.whole.instructions, 'instruction')} in {count(before.size, 'byte')} before, "
        f"{after.whole.instructions} in {after.size} after on {gain.target}"
    )


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
