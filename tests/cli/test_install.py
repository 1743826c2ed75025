# SPDX-License-Identifier: GPL-2.0
"""``install``: the scripts work with a kernel tree's ``make coccicheck``, and can be removed again."""

import os
import re
import shutil
from pathlib import Path

import pytest

from hotcocci.cli.main import main
from hotcocci.deliver.installed import FOLDER, RECORD
from tests.shared import launch

FILE = "sound/core/pcm_native.c"


@pytest.fixture
def tree(tmp_path) -> Path:
    """The minimal tree that install accepts."""
    root = tmp_path / "linux"
    (root / "scripts/coccinelle/misc").mkdir(parents=True)
    (root / "scripts/coccinelle/misc/semicolon.cocci").write_text("")
    return root


def listing(tree: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(tree)): p.read_bytes() if p.is_file() else b""
        for p in tree.rglob("*")
    }


def install(tree: Path, *arguments: str) -> int:
    return main(["install", "--tree", str(tree), *arguments])


def test_removing_restores_the_tree(tree, capsys):
    before = listing(tree)
    assert install(tree) == 0
    names = {path.name for path in (tree / FOLDER).glob("*.cocci")}
    assert {"user_access.cocci", "user_access_window.cocci"} <= names
    installed = listing(tree)
    assert install(tree) == 0
    assert listing(tree) == installed
    output = capsys.readouterr().out.splitlines()
    assert re.search(r"hotcocci: \d+ files installed$", output[0])
    assert output[1].endswith("already up to date")
    assert install(tree, "--remove") == 0
    assert install(tree, "--remove") == 0
    assert listing(tree) == before
    output = capsys.readouterr().out.splitlines()
    assert re.search(r"hotcocci: \d+ files removed$", output[0])
    assert output[1].endswith("nothing installed")


@pytest.mark.parametrize("arguments", [(), ("--remove",)])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("user_access.cocci", "was edited: move it away or remove it"),
        ("mine.cocci", "was not installed by hotcocci: move it away"),
        (RECORD, "was edited: remove it and what was installed by hand"),
    ],
)
def test_edited_files_are_kept(tree, capsys, arguments, name, message):
    install(tree)
    (tree / FOLDER / name).write_text("edited\n")
    edited = listing(tree)
    capsys.readouterr()
    assert install(tree, *arguments) == 2
    output = capsys.readouterr().err
    assert message in output and output.count("\n") == 1
    assert listing(tree) == edited


def test_a_folder_that_is_not_a_kernel_tree(tmp_path, capsys):
    assert install(tmp_path) == 2
    assert "has no directory scripts/coccinelle: name" in capsys.readouterr().err


@pytest.fixture
def linux(linux_tree, tmp_path) -> Path:
    """A real kernel tree by symlinks, with an empty, writable scripts/coccinelle."""
    root = tmp_path / "linux"
    (root / "scripts/coccinelle").mkdir(parents=True)
    for folder in (".", "scripts"):
        for entry in (linux_tree / folder).iterdir():
            if not (root / folder / entry.name).exists():
                (root / folder / entry.name).symlink_to(entry)
    return root


@pytest.mark.skipif(
    not (shutil.which("spatch") and shutil.which("make")), reason="no spatch or make"
)
@pytest.mark.slow
def test_coccicheck_finds_them(linux):
    install(linux)
    diff = coccicheck(linux, "patch")
    assert f"+++ b/{FILE}\n" in diff
    begin = "+	else if (!user_write_access_begin(src, sizeof(*src)))\n"
    assert diff.count(begin) == 1
    output = coccicheck(linux, "report")
    assert (
        len(re.findall(rf"{FILE}:3199:.* UA101 3 get_user\(\) from src", output)) == 1
    )
    assert install(linux, "--remove") == 0
    assert list((linux / "scripts/coccinelle").iterdir()) == []


def coccicheck(tree: Path, mode: str) -> str:
    """Run "make coccicheck" on one file; all scripts must succeed."""
    ran = launch(
        ["make", "-s", "-C", tree, "coccicheck", f"M={FILE}", f"MODE={mode}", "J=1"],
        env={k: v for k, v in os.environ.items() if not k.startswith("MAKE")},
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert not re.search("failed|EXN|exception|Error|Skipping", ran.stdout), ran.stdout
    return ran.stdout


def test_python_caches_are_removed(tree):
    before = listing(tree)
    install(tree)
    cache = tree / FOLDER / "c/__pycache__"
    cache.mkdir()
    (cache / "matches.cpython-311.pyc").write_bytes(b"")
    assert install(tree, "--remove") == 0
    assert listing(tree) == before
