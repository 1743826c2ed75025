# SPDX-License-Identifier: GPL-2.0
"""Refuse rewrites by the cycles that their compiled code saves, as modelled for each processor."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hotcocci.findings import Finding, Gain, Proof, Rewrite, Saves
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.offer import NO_GAIN, Refusal, refused
from hotcocci.saves import cycles, spanning


def costs_more(proof: Proof) -> Refusal | None:
    """Refuse if a function got dearer on all processors of a target, whatever other targets gain."""
    for gain in proof.gains:
        if _costs(gain):
            said = f"{_where(gain)}: {_figures(gain)}"
            return Refusal(NO_GAIN, f"the rewrite costs more than it saves: {said}")
    return None


def is_of(gain: Gain, finding: Finding) -> bool:
    """Whether a function that was compiled is the one of a finding.

    Macros put a prefix before the name of a system call (__do_sys_) or a BPF helper (____).
    """
    name = re.escape(finding.function or "?")
    return bool(re.fullmatch(rf"(?:__\w*sys_|____)?{name}", gain.function))


def saves_too_little(
    rewrites: Sequence[Rewrite], proof: Proof, settings: Settings
) -> Refusal | None:
    """Why rewrites of a file that was compiled are not offered; None if they are."""
    for function in dict.fromkeys(gain.function for gain in proof.gains):
        gains = [gain for gain in proof.gains if gain.function == function]
        own = [r for r in rewrites if is_of(gains[0], r.finding)]
        refusal = _of_function(gains, own or rewrites, settings)
        if refusal is not None:
            return refusal
    return None


def _of_function(
    gains: Sequence[Gain], rewrites: Sequence[Rewrite], settings: Settings
) -> Refusal | None:
    saved = [bound for g in gains if g.saves for bound in (g.saves.least, g.saves.most)]
    saves = spanning(saved)
    if saves is None:
        return None
    if saves.most > 0 and any(rewrite.rounds != 1 for rewrite in rewrites):
        # The path that is counted has fewer rounds than the loop.
        return None
    findings = [rewrite.finding for rewrite in rewrites]
    refusal = refused(saves, findings, settings.churn)
    if refusal is None:
        return None
    where = ", ".join(dict.fromkeys(map(_where, gains)))
    return Refusal(refusal.reason, f"{refusal.message}: {where}")


def _costs(gain: Gain) -> bool:
    """Whether a function got dearer on all processors of a target; by counts if none is modelled."""
    return gain.saves.most < 0 if gain.saves else bool(gain.worse)


def _where(gain: Gain) -> str:
    return f"{gain.function}() on {gain.target}"


def _figures(gain: Gain) -> str:
    if gain.saves is None:
        return gain.worse
    more = cycles(Saves(-gain.saves.most, -gain.saves.least))
    return f"{more} cycles more" + (f" ({gain.worse})" if gain.worse else "")
