# SPDX-License-Identifier: GPL-2.0
"""Compile commands are parsed from make's output, and queried once."""

import os
from pathlib import Path

import pytest

from hotcocci.tree.build import Build
from hotcocci.tree.command import commands
from hotcocci.tree.targets import TARGETS

# Shortened output of make -n KBUILD_VERBOSE=1 for two files, with a quoted define, and the same
# command again in quotes for the .cmd file.
TOLD = r"""
set -e; echo '# CC      fs/a.o'; echo '  gcc -Wp,-MMD,fs/.a.o.d -O2 -c -o fs/a.o /t/fs/a.c '; gcc -Wp,-MMD,fs/.a.o.d -O2 -DKBUILD_MODFILE='"fs/a"' -c -o fs/a.o /t/fs/a.c   ; ./tools/objtool/objtool --uaccess fs/a.o; scripts/basic/fixdep fs/.a.o.d fs/a.o 'gcc -O2 -c -o fs/a.o /t/fs/a.c' > fs/.a.o.cmd; rm -f fs/.a.o.d
set -e; trap 'rm -f fs/b.o; trap - HUP; kill -s HUP $$' HUP; gcc -O1 -c -o fs/b.o /t/fs/b.c; true
echo 'it is not finished
gcc -O3 -c -o fs/other.o /t/fs/other.c
"""


def build_in(folder: Path) -> Build:
    (folder / "b/out").mkdir(parents=True)
    return Build(folder, folder / "b/out", TARGETS["x86-64"], (), ())


class FakeMake:
    """A make that comes first in PATH, prints a text, and notes what it was run with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def prints(self, text: str) -> None:
        (self.folder / "printed").write_bytes(os.fsencode(text))

    @property
    def calls(self) -> list[list[str]]:
        log = self.folder / "calls"
        return [line.split() for line in log.open()] if log.exists() else []


@pytest.fixture
def make(program) -> FakeMake:
    script = 'cd $(dirname $0); echo "$@" >> calls; cat printed; exit 2'
    return FakeMake(program("make", script).parent)


def test_make_runs_once_for_all_files(tmp_path, make):
    build = build_in(tmp_path)
    make.prints(TOLD)
    found = commands(build, ["fs/b.c", "fs/a.c", "fs/unknown.c"])
    assert {file: known.argv for file, known in found.items()} == {
        "fs/a.c": ("gcc", "-O2", '-DKBUILD_MODFILE="fs/a"'),
        "fs/b.c": ("gcc", "-O1"),
    }
    (call,) = make.calls
    assert "-n" in call
    assert call[-3:] == ["fs/a.o", "fs/b.o", "fs/unknown.o"]

    assert commands(build, ["fs/a.c", "fs/b.c"]) == found
    assert len(make.calls) == 1


def test_a_truncated_saved_command_is_queried_again(tmp_path, make):
    build = build_in(tmp_path)
    make.prints(TOLD)
    found = commands(build, ["fs/b.c"])
    (saved,) = (build.out.parent / "commands").rglob("*.json")
    saved.write_text(saved.read_text()[:5])
    assert commands(build, ["fs/b.c"]) == found


@pytest.mark.parametrize("prefix", ["savedcmd_", "cmd_"])
def test_the_command_of_a_compiled_file_is_the_saved_one(tmp_path, make, prefix):
    build = build_in(tmp_path)
    folder = build.out / "fs"
    folder.mkdir()
    (folder / "a.o").touch()
    # Shortened output of scripts/basic/fixdep, with its two escapes.
    (folder / ".a.o.cmd").write_text(
        f"{prefix}fs/a.o := gcc -Wp,-MMD,fs/.a.o.d -O2 -DAT='\"$(pound)here$$\"' "
        "-c -o fs/a.o /t/fs/a.c   ; ./tools/objtool/objtool --uaccess fs/a.o\n\n"
        "source_fs/a.o := /t/fs/a.c\n"
    )
    make.prints("make: 'fs/a.o' is up to date.")
    found = commands(build, ["fs/a.c"])
    assert found["fs/a.c"].argv == ("gcc", "-O2", '-DAT="#here$"')


def test_any_folder_name(tmp_path, make):
    build = build_in(tmp_path)
    (build.out / "fs").mkdir()
    (build.out / "fs/kept.o").touch()
    line = "gcc -I/home/jürgen/t -c -o fs/{0}.o /home/jürgen/t/fs/{0}.c\n"
    (build.out / "fs/.kept.o.cmd").write_bytes(
        f"savedcmd_fs/kept.o := {line.format('kept')}".encode()
    )
    make.prints(line.format("a"))
    for file in ("fs/a.c", "fs/kept.c"):
        found = commands(build, [file])[file]
        assert os.fsencode(found.argv[1]) == "-I/home/jürgen/t".encode()
