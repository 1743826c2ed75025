# SPDX-License-Identifier: GPL-2.0
"""The side of cocci/credential_reload.cocci that is Python: spatch calls these functions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from hotcocci.c import seen
from hotcocci.c.seen import source_of, span_of
from hotcocci.findings import SAFE, Edit, Rewrite
from hotcocci.rewrite.session import Decider, options_for
from hotcocci.tree.kernel import find_root

# What takes the place of each load, by file and offset; what each function declares, by name
_texts: dict[tuple[str, int], str] = {}
_declared: dict[str, str] = {}


def judge_files(decide: Decider, files: list[str], tier: str) -> list[tuple[Any, str]]:
    """The places to report in the files just processed, with messages.

    What is to be written waits for `becomes` and `declares`.
    """
    reports = []
    _texts.clear()
    _declared.clear()
    for file in files:
        facts = seen.facts_of(file)
        root = find_root(Path(file))
        if root is None or not facts.accesses:
            continue
        source = source_of(file)
        relative = str(Path(file).resolve().relative_to(root))
        options = options_for(root, "", "")
        _, rewrites = decide(source.text, replace(facts, file=relative), options)
        for rewrite in rewrites:
            first = next(
                a for a in facts.accesses if a.call.line == rewrite.finding.line
            )
            if rewrite.finding.tier not in (SAFE, tier):
                continue
            message = f"{rewrite.finding.rule} {rewrite.finding.message}"
            reports.append((seen.place_of(file, first), message))
            _remember(file, rewrite)
    seen.forget()
    return reports


def becomes(carrier: Any, place: Any) -> bool:
    """Bind what takes the place of a load; False if it stays."""
    start, _ = source_of(place.file).range(span_of(place))
    text = _texts.get((place.file, start))
    if text is None:
        return False
    carrier.text = text
    return True


def declares(carrier: Any, function: str) -> bool:
    """Bind what a function is to declare; False if that is nothing."""
    declaration = _declared.get(function)
    if declaration is None:
        return False
    carrier.declared = declaration
    return True


def _remember(file: str, rewrite: Rewrite) -> None:
    """The edits of a rewrite as SmPL makes them: a load that is replaced, a local that is declared."""
    replaced = [edit for edit in rewrite.edits if edit.start != edit.end]
    function = rewrite.finding.function
    inserted = [edit for edit in rewrite.edits if edit.start == edit.end]
    if any(";" in edit.text for edit in replaced):
        return  # two statements in place of one
    if function in _declared or (inserted and inserted[0].text.startswith("\t\t")):
        return  # one local, at the top of the function
    for edit in replaced:
        _texts[file, edit.start] = edit.text
    if inserted and function is not None:
        _declared[function] = _whole(inserted)


def _whole(inserted: list[Edit]) -> str:
    """A declaration with its value, which other texts may give it in a statement of its own."""
    declaration = inserted[0].text.strip().removesuffix(";")
    if len(inserted) > 1:
        declaration += " =" + inserted[1].text.split("=", 1)[1].split(";")[0]
    return declaration
