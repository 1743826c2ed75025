# SPDX-License-Identifier: GPL-2.0
"""clang-tidy missing, of another version, slow, or crashing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hotcocci.engines import clang_tidy
from hotcocci.errors import EngineError, EngineMissing
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command, Unit
from hotcocci.tree.targets import TARGETS


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the sources of a plugin, to build it in."""
    home = tmp_path / "clang-tidy"
    (home / "build").mkdir(parents=True)
    (home / "Source.cpp").write_text("int f;\n")
    return home


def program(
    folder: Path, name: str, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "bin" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent}:/usr/bin:/bin")


def version(number: str) -> str:
    return f'case "$1" in --version) echo "Debian LLVM version {number}"; exit 0;; esac'


def built(checkout: Path, clang: str) -> None:
    (checkout / "build/hotcocci.so").write_text("")
    wanted = clang_tidy._wanted(checkout)
    (checkout / "build/built.json").write_text(json.dumps({**wanted, "clang": clang}))


def unit(folder: Path) -> Unit:
    out = folder / "out"
    out.mkdir()
    (folder / "f.c").write_text("int f;\n")
    build = Build(folder, out, TARGETS["x86-64-clang"], (), ())
    command = Command("f.c", ("clang-19", "-DA"))
    return Unit(build, command, folder / "f.c", folder)


def test_no_clang_tidy(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineMissing, match=r"clang-tidy-19 is not installed .*apt"):
        clang_tidy.check(unit(tmp_path), checkout)


def test_not_built(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "clang-tidy-19", version("19.1.7"), monkeypatch)
    with pytest.raises(
        EngineMissing, match=r"is not built: run .*run\.py checkers build"
    ):
        clang_tidy.plugin(checkout)


def test_built_for_another_version(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "clang-tidy-19", version("19.1.7"), monkeypatch)
    built(checkout, "18.1.0")
    with pytest.raises(EngineMissing) as caught:
        clang_tidy.check(unit(tmp_path), checkout)
    message = str(caught.value)
    assert "built for clang 18.1.0" in message and "this is clang 19.1.7" in message
    assert "run.py checkers build" in message and "\n" not in message


def test_plugin_older_than_its_sources(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "clang-tidy-19", version("19.1.7"), monkeypatch)
    built(checkout, "19.1.7")
    assert clang_tidy.plugin(checkout).name == "hotcocci.so"
    (checkout / "Source.cpp").write_text("int g;\n")
    with pytest.raises(EngineMissing, match="older than its sources"):
        clang_tidy.plugin(checkout)


def test_a_compiler_that_fails(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "clang-tidy-19", version("19.1.7"), monkeypatch)
    program(
        tmp_path, "clang++-19", "echo 'x.h: fatal error: none' >&2; exit 1", monkeypatch
    )
    with pytest.raises(EngineMissing, match="fatal error: none"):
        clang_tidy.build(checkout)
    assert not (checkout / "build/hotcocci.so").exists()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("echo 'f.c:1:1: error: no such thing [x]'; exit 1", "no such thing"),
        ("echo 'Error opening plugin' >&2; exit 1", "Error opening plugin"),
        ("echo hello", "it prints 'hello', which is no answer"),
        ("printf '/f.c:1:1: warning: UW0'", "its output is cut off after"),
    ],
)
def test_failures(
    checkout: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    body: str,
    why: str,
) -> None:
    program(tmp_path, "clang-tidy-19", f"{version('19.1.7')}\n{body}", monkeypatch)
    built(checkout, "19.1.7")
    with pytest.raises(EngineError, match=why):
        clang_tidy.check(unit(tmp_path), checkout, timeout=1.0)
