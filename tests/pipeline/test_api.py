# SPDX-License-Identifier: GPL-2.0
"""The Python API: its example runs; it prints nothing and does not import the command line."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hotcocci import api
from hotcocci.api import Observer, Settings, analyse, trees
from hotcocci.pipeline.settings import Step

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/python-api.md"
MODULES = sorted((ROOT / "hotcocci/pipeline").glob("*.py"))
# Higher layers, and what only commands may do.
FORBIDDEN = re.compile(
    r"^(?:from|import) hotcocci\.(?:cli|output|deliver)|\bargparse\b"
    r"|\bprint\(|\bsys\.(?:argv|std(?:in|out|err))\b",
    re.MULTILINE,
)

needs_spatch = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, with a small kernel tree in it."""
    shutil.copytree(ROOT / "kernel-fixtures/classic", tmp_path / "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@needs_spatch
def test_the_example(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    exec(compile(example, str(PAGE), "exec"), {})
    out, err = capsys.readouterr()
    assert err == ""
    assert re.search(r"^drivers/\w+\.c:\d+: UA101 ", out, re.MULTILINE)


@needs_spatch
def test_an_observer_sees_the_progress(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    titles: list[str] = []
    steps: list[tuple[int, int]] = []

    @contextmanager
    def progress(title: str) -> Iterator[Step | None]:
        titles.append(title)
        yield lambda done, total: steps.append((done, total))

    observer = Observer(progress)
    ((tree, paths),) = trees([folder / "linux"])
    analyse(tree, paths, Settings(rules=("UA101",), observer=observer))
    assert "parsing for UA101" in titles
    assert steps and steps[-1][0] == steps[-1][1]
    assert capsys.readouterr() == ("", "")


def test_exports_are_documented() -> None:
    for name in api.__all__:
        assert getattr(api, name).__doc__


@pytest.mark.parametrize("module", MODULES, ids=lambda p: p.name)
def test_no_use_of_the_command_line(module: Path) -> None:
    assert not FORBIDDEN.findall(module.read_text())
