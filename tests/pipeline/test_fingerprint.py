# SPDX-License-Identifier: GPL-2.0
"""The code that cached results depend on."""

from __future__ import annotations

from pathlib import Path

from hotcocci.pipeline.fingerprint import modules_of
from hotcocci.proof import gate
from hotcocci.proof.task import WORK


def test_scripts_list_all_modules_they_depend_on(tmp_path: Path) -> None:
    script = tmp_path / "x.cocci"
    script.write_text("@initialize:python@\n@@\nfrom hotcocci.output import json\n")
    names = {file.name for file in modules_of(script)}
    assert {"json.py", "kernel.py", "findings.py", "errors.py"} <= names
    assert "text.py" not in names


def test_data_files_of_modules_count() -> None:
    names = {file.name for file in modules_of(Path(gate.__file__))}
    assert {"zen3.toml", "arm64.toml", "ranges.h"} <= names
    assert "marks.h" not in names and "marks.h" in {f.name for f in modules_of(WORK)}
