# SPDX-License-Identifier: GPL-2.0
"""``new-rule`` writes a rule or nothing; its case fails until it is filled in as docs/adding-a-rule.md says."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hotcocci.cli.main import main
from hotcocci.cli.new_rule import BLOCK, GUIDE
from tests.shared import launch

pytestmark = pytest.mark.whole

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).parent / "clear_scalar"
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


def new_rule(root: Path, *arguments: str) -> int:
    return main(["new-rule", *arguments, "--checkout", str(root)])


def python(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package of the copy."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return launch([sys.executable, *arguments], cwd=root, env=environment)


@pytest.mark.slow
def test_the_rule_is_found_and_its_case_fails(checkout):
    new_rule(checkout, "UA105", "put_constants")
    program = "from hotcocci.cli.main import main; main(['rules'])"
    listed = python(checkout, "-c", program).stdout
    assert "\nUA105  TODO" in listed
    case = ["tests/cases/test_cases.py", "-k", "put-constants"]
    ran = python(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", *case)
    assert ran.returncode == 1, ran.stdout
    assert "1 failed" in ran.stdout and "found None" in ran.stdout


def test_the_rule_of_the_guide(checkout):
    """Its two files have sixty lines and pass its cases; no figure of clear_user() is known, so none is claimed."""
    before = {path: (checkout / path).stat().st_mtime_ns for path in listing(checkout)}
    new_rule(checkout, "UA205", "clear_scalar")
    places = ["hotcocci/rules/ua205_clear_scalar.py", "cocci/clear_scalar.cocci"]
    texts = BLOCK.findall((ROOT / GUIDE).read_text(encoding="utf-8"))
    assert len("".join(texts).splitlines()) <= 60
    for place, text in zip(places, texts, strict=True):
        (checkout / place).write_text(text, encoding="utf-8")
    shutil.copytree(CASES, checkout / "kernel-fixtures/UA205", dirs_exist_ok=True)
    tests = ["tests/cases/test_cases.py", "tests/cases/test_texts.py", "-k", "clear-"]
    ran = python(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert ran.returncode == 0, ran.stdout
    files = [path for path in before if (checkout / path).is_file()]
    assert all((checkout / f).stat().st_mtime_ns == before[f] for f in files)


def test_bad_input_is_one_line(checkout, capsys):
    before = listing(checkout)
    for code, stem, message in (
        ("UA101", "put_constants", "hotcocci/rules/ua101_user_access_run"),
        ("UA105", "small_copy", "cocci/small_copy.cocci already exists"),
        ("UA105", "user_access", "already exists"),
        ("ua105", "put_constants", "is not a valid code"),
        ("UW30", "put_constants", "is not a valid code"),
        ("UA105", "PutConstants", "is not a valid stem"),
        ("UA105", "../put", "is not a valid stem"),
    ):
        assert new_rule(checkout, code, stem) == 2
        error = capsys.readouterr().err
        assert message in error and error.count("\n") == 1
        assert listing(checkout) == before


def test_a_failure_leaves_no_files(checkout):
    before = listing(checkout)
    # The last folder cannot be created.
    (checkout / "kernel-fixtures").rename(checkout / "elsewhere")
    assert new_rule(checkout, "UA105", "put_constants") == 2
    (checkout / "elsewhere").rename(checkout / "kernel-fixtures")
    assert listing(checkout) == before
