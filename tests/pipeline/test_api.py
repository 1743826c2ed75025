# SPDX-License-Identifier: GPL-2.0
"""The Python API: its example runs; it prints nothing and does not import the command line."""

import re
from pathlib import Path

import pytest

from hotcocci import api

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "hotcocci/pipeline").glob("*.py"))
# Higher layers, and what only commands may do.
FORBIDDEN = re.compile(
    r"^(?:from|import) hotcocci\.(?:cli|output|deliver)|\bargparse\b"
    r"|\bprint\(|\bsys\.(?:argv|std(?:in|out|err))\b",
    re.MULTILINE,
)


def test_exports_are_documented():
    for name in api.__all__:
        assert getattr(api, name).__doc__


@pytest.mark.parametrize("module", MODULES, ids=lambda p: p.name)
def test_no_use_of_the_command_line(module):
    assert not FORBIDDEN.findall(module.read_text())
