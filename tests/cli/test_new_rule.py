# SPDX-License-Identifier: GPL-2.0
"""The rule of docs/adding-a-rule.md works as it stands there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared import launch

pytestmark = pytest.mark.whole

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).parent / "clear_scalar"
# Has the whole rule, the module before the semantic patch.
GUIDE = ROOT / "docs/adding-a-rule.md"
BLOCK = re.compile(r"^```(?:python|c)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PARTS = ("hotcocci", "cocci", "docs", "kernel-fixtures", "tests/cases")


@pytest.fixture
def checkout(tmp_path) -> Path:
    """A copy of the directories that rules consist of."""
    root = tmp_path / "checkout"
    for part in PARTS:
        shutil.copytree(ROOT / part, root / part, symlinks=True)
    for name in ("run.py", "setup.cfg", "pyproject.toml", "tests/conftest.py"):
        shutil.copy(ROOT / name, root / name)
    return root


def listing(root: Path) -> set[str]:
    paths = (str(path.relative_to(root)) for path in root.rglob("*"))
    return {path for path in paths if "__pycache__" not in path}


def python(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package of the copy."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return launch([sys.executable, *arguments], cwd=root, env=environment)


def test_the_rule_of_the_guide(checkout):
    """Its two files have sixty lines and pass its cases; no figure of clear_user() is known, so none is claimed."""
    before = {path: (checkout / path).stat().st_mtime_ns for path in listing(checkout)}
    places = ["hotcocci/rules/ua205_clear_scalar.py", "cocci/clear_scalar.cocci"]
    texts = BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
    assert len("".join(texts).splitlines()) <= 60
    for place, text in zip(places, texts, strict=True):
        (checkout / place).write_text(text, encoding="utf-8")
    shutil.copytree(CASES, checkout / "kernel-fixtures/UA205", dirs_exist_ok=True)
    tests = ["tests/cases/test_cases.py", "tests/cases/test_texts.py", "-k", "clear-"]
    ran = python(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert ran.returncode == 0, ran.stdout
    files = [path for path in before if (checkout / path).is_file()]
    assert all((checkout / f).stat().st_mtime_ns == before[f] for f in files)
