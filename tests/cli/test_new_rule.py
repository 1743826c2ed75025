# SPDX-License-Identifier: GPL-2.0
"""The rule of docs/adding-a-rule.md works as it stands there."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.shared import ROOT, launch

pytestmark = pytest.mark.whole

CASES = Path(__file__).parent / "clear_scalar"
# Has the whole rule, the module before the semantic patch.
GUIDE = ROOT / "docs/adding-a-rule.md"
BLOCK = re.compile(r"^```(?:python|c)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PARTS = ("hotcocci", "cocci", "docs", "kernel-fixtures", "tests/cases")


@pytest.fixture
def checkout(tmp_path):
    """A copy of the directories that rules consist of."""
    root = tmp_path / "checkout"
    for part in PARTS:
        shutil.copytree(ROOT / part, root / part, symlinks=True)
    for name in (
        "run.py",
        "setup.cfg",
        "pyproject.toml",
        "tests/conftest.py",
        "tests/shared.py",
    ):
        shutil.copy(ROOT / name, root / name)
    return root


def test_the_rule_of_the_guide(checkout):
    """Its two files have sixty lines and pass its cases; no figure of clear_user() is known, so none is claimed."""
    before = {p: p.stat().st_mtime_ns for p in checkout.rglob("*") if p.is_file()}
    places = ["hotcocci/rules/ua205_clear_scalar.py", "cocci/clear_scalar.cocci"]
    texts = BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
    assert len("".join(texts).splitlines()) <= 60
    for place, text in zip(places, texts, strict=True):
        (checkout / place).write_text(text, encoding="utf-8")
    shutil.copytree(CASES, checkout / "kernel-fixtures/UA205", dirs_exist_ok=True)
    # Nothing else was to be edited: the tests of the copy run on it as it is.
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    argv += ["tests/cases/test_cases.py", "tests/cases/test_texts.py", "-k", "clear-"]
    own = {"PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = launch(argv, cwd=checkout, env={**os.environ, **own})
    assert ran.returncode == 0, ran.stdout
    assert all(p.stat().st_mtime_ns == before[p] for p in before if p.suffix != ".pyc")
