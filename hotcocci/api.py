# SPDX-License-Identifier: GPL-2.0
"""The Python API: from paths to findings, rewrites and proofs (docs/python-api.md)."""

from hotcocci.errors import UserError
from hotcocci.findings import Change
from hotcocci.pipeline.analysis import Analysis, analyse, analyse_patched
from hotcocci.pipeline.changes import Gated, Rewritten, changes, chosen_rewrites
from hotcocci.pipeline.gating import pass_all
from hotcocci.pipeline.paths import trees
from hotcocci.pipeline.proving import (
    Proposed,
    is_proven,
    propose,
    propose_patches,
    prove,
)
from hotcocci.pipeline.settings import Observer, Settings
from hotcocci.pipeline.violations import Checked, check

__all__ = [
    "Analysis",
    "Change",
    "Checked",
    "Gated",
    "Observer",
    "Proposed",
    "Rewritten",
    "Settings",
    "UserError",
    "analyse",
    "analyse_patched",
    "changes",
    "check",
    "chosen_rewrites",
    "is_proven",
    "pass_all",
    "propose",
    "propose_patches",
    "prove",
    "trees",
]
