# SPDX-License-Identifier: GPL-2.0
"""Findings as a JSON object."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from hotcocci import __version__
from hotcocci.findings import Finding, Skip
from hotcocci.tree.kernel import Tree

VERSION = 1


def document(
    tree: Tree,
    findings: Sequence[Finding],
    skipped: Sequence[Skip],
    diffs: Mapping[Finding, str],
) -> str:
    """Return findings as JSON; all fields are always present, null if they do not apply.

    ``diffs`` are those of the findings' rewrites. A violation has more fields. findings.schema.json describes each.
    """
    features = {
        name: sorted(value) if isinstance(value, frozenset) else value
        for name, value in asdict(tree.features).items()
    }
    return json.dumps(
        {
            "version": VERSION,
            "tool": {"name": "hotcocci", "version": __version__},
            "tree": {"root": str(tree.root), "features": features},
            "findings": [_row(each, diffs.get(each)) for each in findings],
            "skipped": [{"file": s.file, "reason": s.reason} for s in skipped],
        },
        indent=1,
    )


def _row(finding: Finding, diff: str | None) -> dict[str, Any]:
    more = asdict(finding)
    row = {each.name: more.pop(each.name) for each in fields(Finding)}
    return row | {"diff": diff} | more
