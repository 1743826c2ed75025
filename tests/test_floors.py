# SPDX-License-Identifier: GPL-2.0
"""Each layer of the package imports only the layers below it, as listed in setup.cfg."""

from __future__ import annotations

from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

SETUP = Path(__file__).resolve().parents[1] / "setup.cfg"


def test_floors(capsys: pytest.CaptureFixture[str]) -> None:
    code = lint_imports(config_filename=str(SETUP), no_cache=True)
    assert code == EXIT_STATUS_SUCCESS, capsys.readouterr().out
