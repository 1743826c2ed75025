# SPDX-License-Identifier: GPL-2.0
"""Run all engines on files with windows, unless nothing has changed since they ran."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial

from hotcocci.cache import Cache
from hotcocci.findings import Report, SPATCH, Skip
from hotcocci.memo import known_answer
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.unchanged import state_of_run
from hotcocci.records import rebuilt
from hotcocci.tree.kernel import Tree


@dataclass(frozen=True)
class _Said:
    reports: tuple[Report, ...]
    skipped: tuple[Skip, ...]


def reports_on(
    tree: Tree,
    texts: dict[str, str],
    engines: Sequence[str],
    cache: Cache,
    settings: Settings,
) -> tuple[Sequence[Report], Sequence[Skip]]:
    """Return the engines' reports on each file, and what they skipped and why.

    Raises UserError if spatch or a requested engine is missing.
    """
    asked = f"check {tree.root} {engines} {sorted(texts)}"
    key = state_of_run(tree, settings, asked)
    said = known_answer(cache, key, partial(rebuilt, _Said))
    if said is None:
        said = _run(tree, texts, engines, cache, settings)
        # A full disk or a busy machine is no property of a file.
        if all(skip.file == "." for skip in said.skipped):
            cache.remember({key: asdict(said)})
    return said.reports, said.skipped


def _run(
    tree: Tree,
    texts: dict[str, str],
    engines: Sequence[str],
    cache: Cache,
    settings: Settings,
) -> _Said:
    # They import all that reads source and machine code.
    from hotcocci.pipeline.unit_engines import unit_reports
    from hotcocci.pipeline.window_reports import window_reports

    reports: list[Report] = []
    skipped: list[Skip] = []
    if SPATCH in engines:
        made, missed = window_reports(tree, texts, cache, settings)
        reports += made
        skipped += missed
    others = [engine for engine in engines if engine != SPATCH]
    if others:
        made, missed = unit_reports(tree, texts, others, cache, settings)
        reports += made
        skipped += missed
    return _Said(tuple(reports), tuple(skipped))
