# SPDX-License-Identifier: GPL-2.0
"""clang-tidy missing, of another version, slow, or crashing."""

import json

import pytest

from hotcocci.engines import clang_tidy
from hotcocci.errors import EngineError, EngineMissing


@pytest.fixture
def checkout(tmp_path):
    """A folder with the sources of a plugin, to build it in."""
    home = tmp_path / "clang-tidy"
    (home / "build").mkdir(parents=True)
    (home / "Source.cpp").write_text("int f;\n")
    return home


VERSION = 'case "$1" in --version) echo "Debian LLVM version 19.1.7"; exit 0;; esac'


def built(checkout, clang="19.1.7"):
    (checkout / "build/hotcocci.so").write_text("")
    wanted = clang_tidy._wanted(checkout)
    (checkout / "build/built.json").write_text(json.dumps({**wanted, "clang": clang}))


def test_no_clang_tidy(checkout, unit, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineMissing, match=r"clang-tidy-19 is not installed .*apt"):
        clang_tidy.check(unit, checkout)


def test_what_is_built(checkout, unit, program):
    program("clang-tidy-19", VERSION)
    with pytest.raises(EngineMissing, match=r"not built: run .*run\.py checkers build"):
        clang_tidy.plugin(checkout)
    built(checkout, "18.1.0")
    with pytest.raises(EngineMissing) as caught:
        clang_tidy.check(unit, checkout)
    message = str(caught.value)
    assert "built for clang 18.1.0" in message and "this is clang 19.1.7" in message
    assert "run.py checkers build" in message and "\n" not in message
    built(checkout)
    assert clang_tidy.plugin(checkout).name == "hotcocci.so"
    (checkout / "Source.cpp").write_text("int g;\n")
    with pytest.raises(EngineMissing, match="older than its sources"):
        clang_tidy.plugin(checkout)


def test_a_compiler_that_fails(checkout, program):
    program("clang-tidy-19", VERSION)
    program("clang++-19", "echo 'x.h: fatal error: none' >&2; exit 1")
    with pytest.raises(EngineMissing, match="fatal error: none"):
        clang_tidy.build(checkout)
    assert not (checkout / "build/hotcocci.so").exists()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("echo 'f.c:1:1: error: no such thing [x]'; exit 1", "no such thing"),
        ("echo 'Error opening plugin' >&2; exit 1", "Error opening plugin"),
    ],
)
def test_failures(checkout, unit, program, body, why):
    program("clang-tidy-19", f"{VERSION}\n{body}")
    built(checkout)
    with pytest.raises(EngineError, match=why):
        clang_tidy.check(unit, checkout, timeout=1.0)
