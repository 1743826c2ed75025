# SPDX-License-Identifier: GPL-2.0
"""Installing scripts in a kernel tree and checkers in a smatch tree, and removing both without a trace."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass

import pytest
from small_kernel import TEXTS

from hotcocci.deliver.installed import CHECKERS, FOLDER, RECORD, put_checkers
from tests.shared import launch

LIST = (TEXTS / "check_list.h").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Kind:
    """What is installed: a minimal tree that takes it, the command, a folder below the tree, and a file in it."""

    tree: dict[str, str]
    command: tuple[str, ...]
    folder: str
    file: str

    def on(self, tree):
        """The command on a tree."""
        return [*self.command, str(tree)]


KERNEL = Kind(
    {"scripts/coccinelle/misc/semicolon.cocci": ""},
    ("install", "--tree"),
    str(FOLDER),
    "user_access.cocci",
)
SMATCH = Kind(
    {"smatch.c": "smatch.c\n", "check_list.h": LIST},
    ("checkers", "install", "--smatch"),
    ".",
    "check_user_access_call.c",
)
each = pytest.mark.parametrize("kind", [KERNEL, SMATCH], ids=["kernel", "smatch"])


def made(kind, folder):
    """A tree of a kind."""
    for file, text in kind.tree.items():
        (folder / "tree" / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tree" / file).write_text(text)
    return folder / "tree"


def listing(tree):
    return {
        str(p.relative_to(tree)): p.read_bytes() if p.is_file() else b""
        for p in tree.rglob("*")
    }


@pytest.fixture
def refused(said):
    """Run a command that is refused: one line of error, nothing is touched."""

    def run(tree, *words):
        before = listing(tree)
        code, out, err = said(*words)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert listing(tree) == before
        return err

    return run


@each
def test_removing_restores_the_tree(kind, tmp_path, said):
    tree = made(kind, tmp_path)
    before = listing(tree)
    if kind is SMATCH:
        # make creates it.
        (tree / "check_list_local.h").touch()
    code, out, _ = said(*kind.on(tree))
    assert code == 0 and re.search(r"hotcocci: \d+ files installed$|rebuild with", out)
    assert (tree / kind.folder / kind.file).read_bytes()
    installed = listing(tree)
    assert "already up to date" in said(*kind.on(tree))[1]
    assert listing(tree) == installed
    # Of Python
    cache = tree / kind.folder / "c/__pycache__"
    if kind is KERNEL:
        cache.mkdir()
        (cache / "matches.cpython-311.pyc").write_bytes(b"code")
    assert re.search(r": \d+ files removed", said(*kind.on(tree), "--remove")[1])
    assert listing(tree) == before
    code, out, _ = said(*kind.on(tree), "--remove")
    assert code == 0 and re.search("nothing installed|no checkers installed", out)
    assert listing(tree) == before


def test_checkers_are_copied_and_registered_once(tmp_path, said):
    tree = made(SMATCH, tmp_path)
    assert said(*SMATCH.on(tree))[0] == 0
    assert {path.name for path in CHECKERS.glob("*.[ch]")} <= set(listing(tree))
    listed = (tree / "check_list_local.h").read_text()
    entry = re.compile(r"^void ((?:check|register)_\w+)\(int id\)", re.MULTILINE)
    texts = (path.read_text() for path in CHECKERS.glob("*.c"))
    entries = {name for text in texts for name in entry.findall(text)}
    assert entries >= {"register_user_access", "check_user_access_balance"}
    assert all(listed.count(f"CK({name})\n") == 1 for name in entries)
    # Shared state must be registered before the checks that read it.
    assert listed.index("register_user_access") < listed.index("check_user_access")
    assert (tree / "check_list.h").read_text() == LIST


def test_a_newer_version_replaces_an_older_one(tmp_path, said):
    tree = made(SMATCH, tmp_path)
    before = listing(tree)
    older = tmp_path / "older"
    older.mkdir()
    for name in ("check_user_access_gone", "check_user_access_balance"):
        (older / f"{name}.c").write_text(f"void {name}(int id)\n{{\n}}\n")
    put_checkers(tree, older)
    assert said(*SMATCH.on(tree))[0] == 0
    assert not (tree / "check_user_access_gone.c").exists()
    assert "gone" not in (tree / "check_list_local.h").read_text()
    said(*SMATCH.on(tree), "--remove")
    assert listing(tree) == before


FOREIGN = "was not installed by hotcocci"


@pytest.mark.parametrize(
    ("kind", "file", "text", "message"),
    [
        (KERNEL, "mine.cocci", "mine\n", f"{FOREIGN}: move it away"),
        (SMATCH, SMATCH.file, "mine\n", f"{SMATCH.file} {FOREIGN}"),
        (SMATCH, "check_list_local.h", "CK(check_mine)\n", f"check_list_local.h {FOREIGN}"),
        (SMATCH, "check_list.h", f"{LIST}CK(check_user_access_call)\n", "too: restore that file"),
        (SMATCH, "check_list.h", "", "is not a smatch source tree: check_list.h includes no"),
        (SMATCH, SMATCH.file, None, "is not a regular file"),
    ],
)  # fmt: skip
def test_other_files_and_trees_are_refused(
    kind, file, text, message, tmp_path, refused
):
    tree = made(kind, tmp_path)
    path = tree / kind.folder / file
    path.parent.mkdir(exist_ok=True)
    if text is None:
        path.mkdir()
    else:
        path.write_text(text)
    assert message in refused(tree, *kind.on(tree))


def test_what_is_no_tree_is_refused(tmp_path, refused):
    message = "has no directory scripts/coccinelle: name"
    assert message in refused(tmp_path, *KERNEL.on(tmp_path))
    tree = made(SMATCH, tmp_path)
    for place in (tmp_path / "nothing", tree / "smatch.c"):
        assert "is not a smatch source tree: " in refused(tree, *SMATCH.on(place))


@each
@pytest.mark.parametrize("words", [(), ("--remove",)])
@pytest.mark.parametrize("edited", ["", "[]", '{"../x": ""}', "1", None])
def test_what_was_edited_is_kept(kind, words, edited, tmp_path, refused, said):
    tree = made(kind, tmp_path)
    said(*kind.on(tree))
    file = kind.file if edited is None else RECORD
    (tree / kind.folder / file).write_text(edited or "edited\n")
    what = "move it away or" if edited is None else "remove it and what was installed"
    assert f"{file} was edited: {what}" in refused(tree, *kind.on(tree), *words)


def test_a_read_only_tree_is_refused(tmp_path, restricted):
    tree = made(SMATCH, tmp_path)
    tree.chmod(0o555)
    ran = launch([*restricted, *SMATCH.on(tree)])
    tree.chmod(0o755)
    assert ran.returncode == 2 and "cannot write to" in ran.stderr


def test_a_failed_installation_is_rolled_back(tmp_path, monkeypatch, refused, said):
    tree, real, left = made(SMATCH, tmp_path), os.replace, [3]

    def fail(source, target):
        left[0] -= 1
        if left[0] == 0:
            raise OSError(28, "No space left on device")
        real(source, target)

    with monkeypatch.context() as context:
        context.setattr(os, "replace", fail)
        assert "No space left on device" in refused(tree, *SMATCH.on(tree))
    assert said(*SMATCH.on(tree))[0] == 0


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
def test_what_was_killed_is_repeated(tmp_path, said, after, killed, then):
    tree = made(SMATCH, tmp_path)
    before = listing(tree)
    said(*SMATCH.on(tree))
    installed = listing(tree)
    if not killed:
        said(*SMATCH.on(tree), "--remove")
    argv = [sys.executable, "-c", KILLED, str(after), *SMATCH.on(tree), *killed]
    subprocess.run(argv, check=False)
    assert said(*SMATCH.on(tree), *then)[0] == 0
    assert listing(tree) == (before if then else installed)


FILE = "sound/core/pcm_native.c"


@pytest.mark.slow
def test_coccicheck_finds_them(linux_tree, tmp_path, said):
    """In a real kernel tree by symlinks, with an empty, writable scripts/coccinelle."""
    linux = tmp_path / "linux"
    (linux / "scripts/coccinelle").mkdir(parents=True)
    for folder in (".", "scripts"):
        for entry in (linux_tree / folder).iterdir():
            if not (linux / folder / entry.name).exists():
                (linux / folder / entry.name).symlink_to(entry)

    def coccicheck(mode):
        """Run "make coccicheck" on one file; all scripts must succeed."""
        ran = launch(
            ["make", "-s", "-C", linux, "coccicheck", f"M={FILE}", f"MODE={mode}"],
            env={k: v for k, v in os.environ.items() if not k.startswith("MAKE")},
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        complaints = "failed|EXN|exception|Error|Skipping"
        assert not re.search(complaints, ran.stdout), ran.stdout
        return ran.stdout

    said(*KERNEL.on(linux))
    diff = coccicheck("patch")
    assert f"+++ b/{FILE}\n" in diff
    begin = "+	else if (!user_write_access_begin(src, sizeof(*src)))\n"
    assert diff.count(begin) == 1
    found = rf"{FILE}:3199:.* UA101 3 get_user\(\) from src"
    assert len(re.findall(found, coccicheck("report"))) == 1
    said(*KERNEL.on(linux), "--remove")
    assert list((linux / "scripts/coccinelle").iterdir()) == []
