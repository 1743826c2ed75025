# SPDX-License-Identifier: GPL-2.0
"""Describe rewrites for a commit message."""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.findings import Rewrite
from hotcocci.rules.entry import ACCESSES, LOADS, Words
from hotcocci.rules.rulebook import rule


def said(rewrites: Sequence[Rewrite]) -> list[Words]:
    """Describe rewrites, once per rule, ordered by rule code."""
    found: dict[str, list[Rewrite]] = {}
    for rewrite in rewrites:
        found.setdefault(rewrite.finding.rule, []).append(rewrite)
    return [_words(code, own) for code, own in sorted(found.items())]


def title(rewrites: Sequence[Rewrite]) -> str:
    """Return the subject of a patch without its prefix, starting in lower case."""
    titles = list(dict.fromkeys(words.title for words in said(rewrites)))
    if len(titles) == 1:
        return titles[0]
    families = {rule(rewrite.finding.rule).family for rewrite in rewrites}
    if families == {ACCESSES}:
        return "reduce user access overhead"
    return (
        "avoid redundant loads"
        if families == {LOADS}
        else "reduce user access overhead and redundant loads"
    )


def _words(code: str, rewrites: Sequence[Rewrite]) -> Words:
    """Return the texts of a rule, with the calls that its rewrites add."""
    entry = rule(code)
    if entry.words is None:
        raise ValueError(f"{code} has no text for a commit message")
    directions = {rewrite.finding.direction for rewrite in rewrites}
    made = [call for way, call in entry.calls.items() if way in directions]
    calls = " and ".join(made or entry.calls.values())
    title, text = entry.words.title, entry.words.text
    return Words(title.format(calls=calls), text.format(calls=calls))
