# SPDX-License-Identifier: GPL-2.0
"""Findings as a JSON object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from hotcocci import __version__
from hotcocci.findings import Finding, Skip
from hotcocci.tree.kernel import Tree
from hotcocci.windows.merge import Violation

VERSION = 1


def document(
    tree: Tree,
    findings: Sequence[Finding],
    skipped: Sequence[Skip],
    diffs: Mapping[Finding, str],
) -> str:
    """Return findings as JSON; all fields are always present, null if they do not apply.

    ``diffs`` are those of the findings' rewrites. findings.schema.json describes each field.
    """
    rows = [asdict(finding) | {"diff": diffs.get(finding)} for finding in findings]
    return _object(tree, rows, skipped)


def violations(tree: Tree, found: Sequence[Violation], skipped: Sequence[Skip]) -> str:
    """Return violations as JSON: findings with engines, notes, fix and further lines added."""
    return _object(
        tree,
        [
            {
                **asdict(as_finding(violation)),
                "diff": None,
                "engines": violation.engines,
                "notes": [asdict(note) for note in violation.notes],
                "fix": [asdict(edit) for edit in violation.fix],
                "also": [asdict(note) for note in violation.also],
            }
            for violation in found
        ],
        skipped,
    )


def as_finding(found: Violation) -> Finding:
    """Convert a violation to a finding."""
    line = found.line
    return Finding(found.rule, found.file, line, line, found.function, found.message)


def _object(
    tree: Tree, findings: Sequence[dict[str, Any]], skipped: Sequence[Skip]
) -> str:
    features = {
        name: sorted(value) if isinstance(value, frozenset) else value
        for name, value in asdict(tree.features).items()
    }
    return json.dumps(
        {
            "version": VERSION,
            "tool": {"name": "hotcocci", "version": __version__},
            "tree": {"root": str(tree.root), "features": features},
            "findings": findings,
            "skipped": [{"file": s.file, "reason": s.reason} for s in skipped],
        },
        indent=1,
    )
