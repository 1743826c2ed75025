# SPDX-License-Identifier: GPL-2.0
"""cocci/hot_load.cocci by itself, in all four modes, on the permission check of 2011."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from smpl_runs import COCCI
from test_plain_spatch import FIXTURES, spatch, take

SCRIPT = COCCI / "hot_load.cocci"
# The lists in hotcocci/tree/hot name it in this file.
FILE, FUNCTION = "fs/namei.c", "acl_permission_check"
PREPARED = ("-D", "tier=prepared")


def text_of(name: str) -> str:
    """A text of the case with the function renamed, without marks."""
    (case,) = FIXTURES.glob(f"LD*/{name}")
    text = case.read_text()
    text = re.sub(r"/\*\n \* Title.*?\*/\n", "", text, count=1, flags=re.DOTALL)
    text = re.sub(r"[ \t]*/\* want.*?\*/", "", text)
    return re.sub(r"\bother\b", FUNCTION, text)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The case as a file of a miniature tree, under the name of a hot file."""
    tree = tmp_path / "classic"
    shutil.copytree(FIXTURES / "classic", tree)
    made = tree / FILE
    made.parent.mkdir(exist_ok=True)
    made.write_text(text_of("chain-2011.c"))
    return made


def run(file: Path, mode: str, *more: str) -> str:
    """The output of spatch in a mode."""
    ran = subprocess.run(
        ["spatch", "--very-quiet", "--sp-file", SCRIPT, "-D", mode, "-D", "churn=yes"]
        + ["--no-includes", *more, file],
        cwd=file.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def line_of(file: Path, part: str) -> int:
    lines = file.read_text().splitlines()
    return 1 + next(n for n, line in enumerate(lines) if part in line)


def test_patch(file: Path, tmp_path: Path) -> None:
    """The accessor's macro is used."""
    take(file.parents[1], spatch(str(SCRIPT), str(file), tmp_path, *PREPARED))
    assert file.read_text() == text_of("chain-2011.classic.after")
    # A second run changes nothing.
    assert spatch(str(SCRIPT), str(file), tmp_path, *PREPARED) == ""


def test_only_requested_types(file: Path, tmp_path: Path) -> None:
    """None of the rewrites is safe."""
    assert spatch(str(SCRIPT), str(file), tmp_path) == ""
    assert run(file, "report") == ""


def test_report(file: Path) -> None:
    said = run(file, "report", *PREPARED).splitlines()
    assert len(said) == 1, said
    assert any(
        "LD303" in s and "use _current_user_ns(), which does the same inline" in s
        for s in said
    )
    assert all(s.startswith(f"{file}:") for s in said)


def test_org(file: Path) -> None:
    said = run(file, "org", *PREPARED).splitlines()
    assert len([s for s in said if s.startswith("* TODO")]) == 1
    assert all(f"[[view:{file}::" in s for s in said if s.startswith("* TODO"))


def test_context(file: Path) -> None:
    """Lines that patch mode changes are marked, and none is added."""
    lines = run(file, "context", *PREPARED).splitlines()
    marked = [s[1:] for s in lines if s[:1] == "-" and s[:3] != "---"]
    text = file.read_text().splitlines()
    assert marked == [text[line_of(file, "current_user_ns() ==") - 1]]
    assert [s for s in lines if s[:1] == "+" and s[:3] != "+++"] == []


def test_chains(file: Path, tmp_path: Path) -> None:
    """A local stores the common prefix of chains, after the declarations it depends on."""
    body = text_of("chain-prefix.c").replace("subject", FUNCTION)
    file.write_text(body)
    assert "LD302" in run(file, "report", *PREPARED)
    take(file.parents[1], spatch(str(SCRIPT), str(file), tmp_path, *PREPARED))
    after = text_of("chain-prefix.classic.after").replace("subject", FUNCTION)
    assert file.read_text() == after
