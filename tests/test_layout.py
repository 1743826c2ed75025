# SPDX-License-Identifier: GPL-2.0
"""The installed package: one top-level name, which has all it needs; layers import those below."""

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from hotcocci.layout import DATA, IMPORTS, PROGRAM, setup_hint
from tests.shared import launch

ROOT = Path(__file__).resolve().parents[1]
MAIN = "import sys; from hotcocci.cli.main import main; sys.exit(main())"


def _run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return launch(
        [sys.executable, "-c", MAIN, *arguments],
        cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site)},
    )


def test_a_checkout():
    assert (DATA, IMPORTS, PROGRAM) == (ROOT, ROOT, "run.py")
    assert setup_hint("shell", "completion") == (
        "install it with 'python3 run.py --setup completion'"
    )


def test_one_complete_top_level_package(installed):
    assert [path.name for path in installed.iterdir()] == ["hotcocci"]
    # Compiler output.
    generated = {"__pycache__", "build"}
    listed = [
        path
        for folder in ("cocci", "checkers", "docs/rules", "hotcocci")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not generated & set(path.parts)
    ]
    assert len(listed) > 300
    missing = []
    for path in listed:
        name = path.relative_to(ROOT)
        inside = name if name.parts[0] == "hotcocci" else Path("hotcocci") / name
        if not (installed / inside).is_file():
            missing.append(name)
    assert missing == []


@pytest.mark.whole
def test_an_installed_hotcocci_lints(installed, tmp_path):
    shutil.copytree(ROOT / "kernel-fixtures/classic", tmp_path / "tree", symlinks=True)
    cache = f"--cache-dir={tmp_path / 'cache'}"
    found = _run(installed, "lint", "--churn", cache, str(tmp_path / "tree"))
    # A busy machine shows progress before.
    assert (found.returncode, found.stderr.splitlines()[-1]) == (1, "3 findings")
    assert "lamp.c:34: UA101" in found.stdout
    (tmp_path / "tree/scripts/coccinelle").mkdir(parents=True)
    scripts = _run(installed, "install", "--tree", str(tmp_path / "tree"))
    assert (scripts.returncode, scripts.stderr) == (0, "")


def test_extras_do_not_repeat_what_is_always_installed():
    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg", encoding="utf-8")

    def names(lines: str) -> list[str]:
        return re.findall(r"^([\w.-]+) [<>=]", lines, re.MULTILINE)

    extras = settings["options.extras_require"].values()
    libraries = names(settings["options"]["install_requires"])
    libraries += [name for lines in extras for name in names(lines)]
    assert "jinja2" in libraries and "pytest" in libraries
    assert len(libraries) == len(set(libraries))


SETUP = Path(__file__).resolve().parents[1] / "setup.cfg"


def test_floors(capsys):
    code = lint_imports(config_filename=str(SETUP), no_cache=True)
    assert code == EXIT_STATUS_SUCCESS, capsys.readouterr().out
