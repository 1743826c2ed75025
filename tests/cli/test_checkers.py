# SPDX-License-Identifier: GPL-2.0
"""Installing the checkers in a smatch tree, and removing them without a trace."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hotcocci.cli.main import main
from hotcocci.deliver.installed import CHECKERS, RECORD, put_checkers
from tests.shared import launch

LIST = """\
#ifndef CK
#define CK(_x) void _x(int id);
#endif

CK(register_db_call_marker) /* always has to be first  */
CK(check_spectre)

#include "check_list_local.h"

CK(register_scope)
CK(register_returns)
"""


@pytest.fixture
def tree(tmp_path) -> Path:
    """The parts of a smatch tree that the command checks."""
    folder = tmp_path / "smatch"
    folder.mkdir()
    (folder / "smatch.c").write_text("smatch.c\n")
    (folder / "check_list.h").write_text(LIST)
    return folder


def contents(tree: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in tree.iterdir() if p.is_file()}


def install(tree: Path, *more: str) -> int:
    return main(["checkers", "install", "--smatch", str(tree), *more])


def refused(tree: Path, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """Install into a tree that is refused: one line of error, no file touched."""
    before = contents(tree) if tree.is_dir() else {}
    capsys.readouterr()
    assert install(tree, *more) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.splitlines()) == 1
    assert before == (contents(tree) if tree.is_dir() else {})
    return output.err


def test_checkers_are_copied_and_registered_once(tree):
    assert install(tree) == 0
    sources = {path.name for path in CHECKERS.glob("*.[ch]")}
    assert sources <= set(contents(tree))
    listed = (tree / "check_list_local.h").read_text()
    entries = {
        entry
        for path in CHECKERS.glob("*.c")
        for entry in re.findall(
            r"^void ((?:check|register)_\w+)\(int id\)", path.read_text(), re.M
        )
    }
    assert entries >= {"register_user_access", "check_user_access_balance"}
    for entry in entries:
        assert listed.count(f"CK({entry})\n") == 1
    # Shared state must be registered before the checks that read it.
    assert listed.index("register_user_access") < listed.index("check_user_access")
    assert (tree / "check_list.h").read_text() == LIST


def test_removing_restores_the_tree(tree):
    before = contents(tree)
    # make creates it.
    (tree / "check_list_local.h").touch()
    install(tree)
    assert install(tree, "--remove") == 0
    assert contents(tree) == before
    assert install(tree, "--remove") == 0
    assert contents(tree) == before


def test_a_newer_version_replaces_an_older_one(tree, tmp_path):
    before = contents(tree)
    older = tmp_path / "older"
    older.mkdir()
    for name in ("check_user_access_gone", "check_user_access_balance"):
        (older / f"{name}.c").write_text(f"void {name}(int id)\n{{\n}}\n")
    put_checkers(tree, older)
    assert install(tree) == 0
    assert not (tree / "check_user_access_gone.c").exists()
    assert "gone" not in (tree / "check_list_local.h").read_text()
    install(tree, "--remove")
    assert contents(tree) == before


def test_other_trees_are_refused(tree, tmp_path, capsys):
    said = "is not a smatch source tree: check_list.h includes no check_list_local.h"
    assert said in refused(tmp_path / "nothing", capsys)
    assert said in refused(tree / "smatch.c", capsys)
    path = tree / "check_list.h"
    path.write_text(LIST + "CK(check_user_access_call)\n")
    assert "registers the checkers, too: restore that file" in refused(tree, capsys)
    path.write_text("")
    assert said in refused(tree, capsys)


def test_a_foreign_file_is_kept(tree, capsys):
    file = tree / "check_user_access_call.c"
    file.write_text("mine\n")
    said = f"{file.name} was not installed by hotcocci"
    assert said in refused(tree, capsys)
    file.unlink()
    local = tree / "check_list_local.h"
    local.write_text("CK(check_mine)\n")
    assert f"{local.name} was not installed by hotcocci" in refused(tree, capsys)
    local.unlink()
    file.mkdir()
    assert "is not a regular file" in refused(tree, capsys)


@pytest.mark.parametrize("record", ["", "[]", '{"../x": ""}', "1"])
def test_a_changed_record_is_refused(tree, record, capsys):
    install(tree)
    (tree / RECORD).write_text(record)
    assert RECORD in refused(tree, capsys)
    assert RECORD in refused(tree, capsys, "--remove")


def test_a_read_only_tree_is_refused(tree, restricted):
    tree.chmod(0o555)
    ran = launch([*restricted, "checkers", "install", "--smatch", tree])
    tree.chmod(0o755)
    assert ran.returncode == 2 and "cannot write to" in ran.stderr


def test_a_failed_installation_is_rolled_back(tree, monkeypatch, capsys):
    real = os.replace
    left = [3]

    def fail(source: str, target: str) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise OSError(28, "No space left on device")
        real(source, target)

    with monkeypatch.context() as context:
        context.setattr(os, "replace", fail)
        assert "No space left on device" in refused(tree, capsys)
    assert install(tree) == 0


KILLED = """
import os, sys
from hotcocci.cli.main import main

def replace(source, target, real=os.replace, left=[int(sys.argv[1])]):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), 9)
    real(source, target)

os.replace = replace
main(sys.argv[2:])
"""


@pytest.mark.whole
@pytest.mark.parametrize("after", (0, 13))
@pytest.mark.parametrize("killed", [(), ("--remove",)])
@pytest.mark.parametrize("then", [(), ("--remove",)])
def test_what_was_killed_is_repeated(tree, after, killed, then):
    before = contents(tree)
    install(tree)
    installed = contents(tree)
    if not killed:
        install(tree, "--remove")
    argv = [sys.executable, "-c", KILLED, str(after), "checkers", "install"]
    subprocess.run([*argv, "--smatch", str(tree), *killed], check=False)
    assert install(tree, *then) == 0
    assert contents(tree) == (before if then else installed)
