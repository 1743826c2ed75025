# SPDX-License-Identifier: GPL-2.0
"""Refuse rewrites by the cycles that their compiled code saves, as modelled for each processor."""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.findings import COLD, Gain, Proof, Rewrite, Saves
from hotcocci.pipeline.settings import Settings
from hotcocci.plural import count
from hotcocci.proof.worth import loads_saved
from hotcocci.rules.offer import (
    CERTAIN,
    NO_GAIN,
    Refusal,
    band,
    best,
    refused,
    too_cold,
)
from hotcocci.saves import cycles, is_of, of_gains, typical


def costs_more(proof: Proof) -> Refusal | None:
    """Refuse if a function got dearer on all processors of a target, whatever other targets gain."""
    for gain in proof.gains:
        if _costs(gain):
            said = f"{_where(gain)}: {_figures(gain)}"
            return Refusal(NO_GAIN, f"the rewrite costs more than it saves: {said}")
    return None


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
    saves = of_gains(gains)
    if saves is None:
        return None
    if saves.typical > 0 and any(rewrite.rounds != 1 for rewrite in rewrites):
        # The path that is counted has fewer rounds than the loop.
        return None
    found = best(band(rewrite.finding, saves) for rewrite in rewrites)
    refusal = refused(rewrites[0].finding, saves) or _grows(gains, saves)
    if refusal is None and found == COLD and not settings.churn:
        refusal = too_cold(rewrites[0].finding, saves)
    if refusal is None:
        return None
    where = ", ".join(dict.fromkeys(map(_where, gains)))
    return Refusal(refusal.reason, f"{refusal.message}: {where}")


def _grows(gains: Sequence[Gain], saves: Saves) -> Refusal | None:
    """Refuse code that is longer, or loads more, for a gain within the doubt of the model."""
    for gain in gains:
        more = gain.after.size - gain.before.size
        loads = -loads_saved(gain.before, gain.after)
        if saves.typical < CERTAIN and (more > 0 or loads > 0):
            grown = [count(more, "byte")] * (more > 0) + [count(loads, "load")] * (
                loads > 0
            )
            said = f"{' and '.join(grown)} more for {typical(saves)} cycles"
            return Refusal(NO_GAIN, said)
    return None


def _costs(gain: Gain) -> bool:
    """Whether a function got dearer on all processors of a target; by counts if none is modelled."""
    return gain.saves.most < 0 if gain.saves else bool(gain.worse)


def _where(gain: Gain) -> str:
    return f"{gain.function}() on {gain.target}"


def _figures(gain: Gain) -> str:
    if gain.saves is None:
        return gain.worse
    saves = gain.saves
    more = cycles(Saves(-saves.most, -saves.least, -saves.typical))
    return f"{more} cycles more" + (f" ({gain.worse})" if gain.worse else "")
