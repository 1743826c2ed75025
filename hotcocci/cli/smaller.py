# SPDX-License-Identifier: GPL-2.0
"""Whether code gets smaller on some target, for the rules whose rewrites buy nothing else."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from hotcocci.cli.elsewhere import with_target
from hotcocci.findings import Gain, Proof, Rewrite
from hotcocci.proof import gate
from hotcocci.proof.worth import smaller
from hotcocci.rules.rulebook import rule
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import compiled_for, usual
from hotcocci.tree.targets.arm64 import ARM64
from hotcocci.tree.targets.powerpc_book3s64 import POWERPC_BOOK3S64
from hotcocci.tree.targets.x86_64 import X86_64

# Asked where x86-64 gains nothing, on which most extensions are free
_OTHERS = (ARM64, POWERPC_BOOK3S64)


def with_others(
    tree: Tree,
    todo: Sequence[gate.Change],
    rewrites: Mapping[str, Sequence[Rewrite]],
    proofs: Mapping[str, Proof],
    args: argparse.Namespace,
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
            if idle(rewrites[change.file], made[change.file])
            and target in compiled_for(change.file, everywhere=True)
            and target.name not in {g.target for g in made[change.file].gains}
        ]
        made = with_target(tree, target, wanted, made, args)
    return made


def idle(rewrites: Sequence[Rewrite], proof: Proof) -> str:
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
