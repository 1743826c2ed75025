# SPDX-License-Identifier: GPL-2.0
"""Remember what compiling a rewrite showed, so that `lint` offers what `patch` prints.

An entry is found by what the file contains and by the edits, wherever the tree is; it says in which
state of its headers the file was compiled.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from hotcocci.engines import llvm_mca
from hotcocci.findings import Proof, Rewrite, Saves
from hotcocci.memo import recalled
from hotcocci.pipeline.fingerprint import all_code, key
from hotcocci.pipeline.reached import Reached
from hotcocci.pipeline.run import Run
from hotcocci.pipeline.settings import Settings
from hotcocci.records import rebuilt
from hotcocci.rules.offer import SMALL_GAIN, Refusal
from hotcocci.saves import is_of, of_gains
from hotcocci.tree.stamps import stamp


@dataclass(frozen=True)
class Measured:
    """What a rewrite saves as compiled, or why it is not offered, however often it runs.

    ``saves`` are the cycles of its function, None if they were not counted, or not for it alone.
    """

    saves: Saves | None = None
    refusal: Refusal | None = None


def measured(
    rewrite: Rewrite,
    among: Sequence[Rewrite],
    proof: Proof,
    refusal: Refusal | None,
) -> Measured | None:
    """What the proof of some rewrites of a file says of one of them; None if that is nothing."""
    if refusal is not None and refusal.reason != SMALL_GAIN:
        failed = [check.name for check in proof.failed][:1]
        # Whether more can be rewritten depends on the rules that were asked for.
        return None if failed in (["again"], ["parse"]) else Measured(refusal=refusal)
    name = rewrite.finding.function
    same = [each for each in among if each.finding.function == name]
    own = [gain for gain in proof.gains if is_of(gain, rewrite.finding)]
    found = of_gains(own)
    # The path that is counted has fewer rounds than the loop.
    if found is None or len(same) > 1 or rewrite.rounds != 1:
        return None
    return Measured(found)


def keep(root: Path, known: Mapping[Rewrite, Measured], settings: Settings) -> None:
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
                _key(rewrite, texts[file]): {
                    "includes": states[file],
                    "measured": asdict(one),
                }
                for rewrite, one in known.items()
                for file in [rewrite.finding.file]
            }
        )


def recall(run: Run, rewrites: Iterable[Rewrite]) -> dict[Rewrite, Measured]:
    """What is known of these rewrites, if what their files include is as it was then."""
    if run.settings.allow_no_gain:
        return {}
    reached = run.reached

    def read(rewrite: Rewrite, data: Any) -> Measured:
        file = rewrite.finding.file
        if reached.states([file])[file] != data["includes"]:
            raise ValueError(f"what {file} includes has changed")
        return rebuilt(Measured, data["measured"])

    keys = {each: _key(each, reached.own(each.finding.file)) for each in rewrites}
    return recalled(run.cache, keys, read)


def _key(rewrite: Rewrite, text: str) -> str:
    finding = rewrite.finding
    edits = [asdict(edit) for edit in rewrite.edits]
    additions = [asdict(addition) for addition in rewrite.additions]
    said = json.dumps([finding.function, edits, additions])
    words = (finding.file, text, finding.rule, said)
    return key(b"measured", all_code(), *_programs(), *words)


@lru_cache(maxsize=1)
def _programs() -> list[str]:
    """The states of what compiles the code and counts its cycles."""
    names = ("gcc", llvm_mca.program() or "")
    return [stamp(shutil.which(name) or "") for name in names]
