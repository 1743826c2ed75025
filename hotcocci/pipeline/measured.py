# SPDX-License-Identifier: GPL-2.0
"""Refuse rewrites by the cycles that their compiled code saves, and remember what compiling showed.

So `lint` offers what `patch` prints. An entry is found by what the file contains and by the edits, wherever
the tree is; it says in which state of its headers the file was compiled.
"""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from hotcocci.cache import recalled
from hotcocci.findings import COLD, Gain, Proof, Rewrite, Saves
from hotcocci.machine import costs
from hotcocci.names import count
from hotcocci.pipeline.fingerprint import all_code, key
from hotcocci.pipeline.run import Reached, Run
from hotcocci.pipeline.settings import Settings
from hotcocci.records import rebuilt
from hotcocci.rules.offer import (
    CERTAIN,
    NO_GAIN,
    SMALL_GAIN,
    Refusal,
    band_compiled,
    best,
    refused,
    too_cold,
)
from hotcocci.saves import cycles, is_of, loads_saved, of_gains, typical
from hotcocci.tree.source import stamp


def costs_more(proof: Proof) -> Refusal | None:
    """Refuse if a function got dearer on all processors of a target, whatever other targets gain."""
    for gain in proof.gains:
        # By counts if no processor is modelled
        if gain.saves.most < 0 if gain.saves else gain.worse:
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
    found = best(band_compiled(rewrite.finding, saves) for rewrite in rewrites)
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


def _where(gain: Gain) -> str:
    return f"{gain.function}() on {gain.target}"


def _figures(gain: Gain) -> str:
    if gain.saves is None:
        return gain.worse
    saves = gain.saves
    more = cycles(Saves(-saves.most, -saves.least, -saves.typical))
    return f"{more} cycles more" + (f" ({gain.worse})" if gain.worse else "")


@dataclass(frozen=True)
class Measured:
    """The gain of a rewrite as compiled, or why it is not offered, however often it runs.

    ``saves`` are the cycles of its function, None if they were not counted, or not for it alone.
    """

    saves: Saves | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True)
class Benched:
    """The effect of a rewrite alone on system calls, a sentence for each that runs it: it passed in a booted kernel."""

    sentences: tuple[str, ...] = ()


Known = TypeVar("Known", Measured, Benched)


def measured(
    rewrite: Rewrite, among: Sequence[Rewrite], proof: Proof, refusal: Refusal | None
) -> Measured | None:
    """The results for one rewrite of a file from the proof of several; None if there are none."""
    if refusal is not None and refusal.reason != SMALL_GAIN:
        failed = [check.name for check in proof.failed][:1]
        # Whether more can be rewritten depends on the rules that were asked for.
        return None if failed in (["again"], ["parse"]) else Measured(refusal=refusal)
    name = rewrite.finding.function
    same = [each for each in among if each.finding.function == name]
    found = of_gains([gain for gain in proof.gains if is_of(gain, rewrite.finding)])
    # The path that is counted has fewer rounds than the loop.
    if found is None or len(same) > 1 or rewrite.rounds != 1:
        return None
    return Measured(found)


def keep(
    root: Path, known: Mapping[Rewrite, Measured | Benched], settings: Settings
) -> None:
    """Remember what is known of rewrites, for `recall`, unless the settings made it depend on more."""
    if not known or settings.allow_no_gain or settings.extra_targets:
        return
    with settings.open_cache() as cache:
        reached = Reached(root, root, cache)
        files = {rewrite.finding.file for rewrite in known}
        states = reached.states(files)
        texts = {file: reached.own(file) for file in files}
        cache.remember(
            {
                _key(rewrite, texts[file], type(one)): {
                    "includes": states[file],
                    "known": asdict(one),
                }
                for rewrite, one in known.items()
                for file in [rewrite.finding.file]
            }
        )


def recall(
    run: Run, rewrites: Iterable[Rewrite], kind: type[Known]
) -> dict[Rewrite, Known]:
    """The known results for these rewrites, if the included files are as they were then."""
    if run.settings.allow_no_gain:
        return {}
    reached = run.reached

    def read(rewrite: Rewrite, data: Any) -> Known:
        file = rewrite.finding.file
        if reached.states([file])[file] != data["includes"]:
            raise ValueError(f"what {file} includes has changed")
        return rebuilt(kind, data["known"])

    keys = {r: _key(r, reached.own(r.finding.file), kind) for r in rewrites}
    return recalled(run.cache, keys, read)


def _key(rewrite: Rewrite, text: str, kind: type[Measured | Benched]) -> str:
    finding = rewrite.finding
    edits = [asdict(edit) for edit in rewrite.edits]
    additions = [asdict(addition) for addition in rewrite.additions]
    said = json.dumps([finding.function, edits, additions])
    words = (finding.file, text, finding.rule, said)
    return key(kind.__name__.encode(), all_code(), *_programs(), *words)


@lru_cache(maxsize=1)
def _programs() -> list[str]:
    """The states of what compiles the code and counts its cycles."""
    return [stamp(shutil.which(name) or "") for name in ("gcc", costs.llvm_mca() or "")]
