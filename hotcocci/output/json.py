# SPDX-License-Identifier: GPL-2.0
"""Findings as one JSON object, for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from hotcocci.findings import Finding, Skip
from hotcocci.tree.kernel import Tree

VERSION = 1


def document(tree: Tree, findings: Sequence[Finding], skipped: Sequence[Skip]) -> str:
    """The whole object; every field of a finding is present, null where it does not apply."""
    features = {
        **asdict(tree.features),
        "gain_arches": sorted(tree.features.gain_arches),
    }
    return json.dumps(
        {
            "version": VERSION,
            "tree": {"root": str(tree.root), "features": features},
            "findings": [asdict(finding) for finding in findings],
            "skipped": [asdict(skip) for skip in skipped],
        },
        indent=1,
    )
