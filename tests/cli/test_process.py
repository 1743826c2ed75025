# SPDX-License-Identifier: GPL-2.0
"""The program as a process: signals, full disks, closed pipes, and a tree of traps, of which nothing is run."""

import os
import shutil
import signal
import subprocess
import sys

import pytest
from small_kernel import SAFE, TEXTS

from hotcocci.layout import IMPORTS
from tests.shared import PROGRAM, launch, wait_for
from tests.tree.traps import arm, commit, lay, sprung

pytestmark = pytest.mark.whole
# Two accesses: spatch is not run on files with fewer.
USER = (
    "int f(int *p)\n{\n\tint v;\n\n\treturn get_user(v, p) || get_user(v, p + 1);\n}\n"
)


def command(*words):
    return [*PROGRAM, *map(str, words)]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt(small_tree, fake_spatch, tmp_path, sent):
    root = small_tree({"a.c": USER.replace("v;", "v, HANG;")})
    lint = command("lint", root, "--cache-dir", tmp_path / "cache")

    def heard():
        # nohup(1) may run these tests.
        signal.signal(sent, signal.SIG_DFL)

    with subprocess.Popen(
        lint, stderr=subprocess.PIPE, text=True, preexec_fn=heard
    ) as process:
        wait_for((fake_spatch / "handled").exists)
        process.send_signal(sent)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + sent
    assert err.startswith("hotcocci: stopping") and err.count("\n") == 1
    pid = int((fake_spatch / "starts").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_missing_spatch(small_tree, tmp_path):
    root = small_tree({"a.c": USER})
    # This compiles the reader of calls: without a compiler, it would miss that first.
    launch(command("lint", root, "--cache-dir", tmp_path / "first"))
    lint = command("lint", root, "--cache-dir", tmp_path / "cache")
    run = launch(lint, env={**os.environ, "PATH": "/nowhere"})
    assert run.returncode == 2 and run.stdout == ""
    assert run.stderr.startswith("hotcocci: ") and run.stderr.count("\n") == 1
    assert "coccinelle" in run.stderr


WINDOW = (TEXTS / "window.c").read_text(encoding="utf-8")


def test_a_service_without_a_home_and_a_folder_with_an_umlaut(small_tree, tmp_path):
    root = small_tree({"fs/a.c": WINDOW, "fs/grün/b.c": WINDOW}, name="jürgen")
    words = ["--engine", "spatch", "--cache-dir", tmp_path / "ö"]
    # As in a locale that lacks characters of a document
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONIOENCODING": "latin-1"}
    run = launch(command("check", root, *words), env=env, encoding="utf-8")
    assert (run.returncode, run.stdout.count("UW03")) == (1, 2), run.stderr
    assert "grün" in run.stdout


HEADER = "struct pair {\n\tint a;\n\tint b;\n};\n"
COPY = (TEXTS / "copy.c").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("why", "{}/b.c:6"), 0),
        (("lint", "{}", "--all", "--churn"), 1),
        (("prove", "{}/a.c", "--churn"), 1),
    ],
)
def test_the_path_of_a_tree_is_not_utf_8(small_kernel, builds, tmp_path, words, code):
    root = small_kernel({"a.c": SAFE, "b.c": COPY, "own.h": HEADER}, "tr\udce9e")
    done = subprocess.run(
        command(*(word.format(root) for word in words)),
        capture_output=True,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode == code, done.stderr


@pytest.mark.parametrize("name", ["a:b", "a\nb", "a\udcff"])
def test_a_temporary_folder_that_spatch_does_not_take(
    small_tree, tmp_path, monkeypatch, name
):
    (tmp_path / name).mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / name))
    run = launch(command("check", small_tree({"fs/a.c": WINDOW}), "--engine", "spatch"))
    assert (run.returncode, run.stderr.count("\n")) == (2, 1), run.stderr
    assert "set TMPDIR to another folder" in run.stderr


def test_full_disk_for_the_output():
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            command("rules"),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert run.returncode == 2
    assert run.stderr.startswith("hotcocci: ") and run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("lint", "{root}", "--all", "--cache-dir", "{cache}"), 1),
        (("patch", "{root}", "--interactive", "--cache-dir", "{cache}"), 2),
        (("lsp",), 2),
    ],
)
def test_closed_streams_are_empty(small_tree, tmp_path, words, code):
    root, cache = small_tree({"fs/a.c": USER}), tmp_path / "cache"
    line = command(*(word.format(root=root, cache=cache) for word in words))
    for closed in ("<&-", ">&-"):
        run = launch(
            ["sh", "-c", f'exec "$@" {closed}', "sh", *line],
            stdin=subprocess.DEVNULL,
            timeout=60,
        )
        assert (run.returncode, "Traceback" in run.stderr) == (code, False), run.stderr
        assert code != 2 or run.stderr.count("\n") == 1


LAMP = "drivers/lamp.c"


@pytest.fixture
def root(tmp_path):
    """A tree full of traps, in a git repository with others; a change is not committed."""
    root = tmp_path / "tree"
    shutil.copytree(IMPORTS / "kernel-fixtures/classic", root)
    commit(root)
    lay(root)
    arm(root)
    with (root / LAMP).open("a") as stream:
        stream.write("/* changed */\n")
    return root


def run(root, *command):
    """Run a command in the tree, by a user who has the folder that they are in on PATH."""
    return launch(
        [sys.executable, *command],
        cwd=root,
        env={**os.environ, "PATH": f".::{os.environ['PATH']}"},
        timeout=300,
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("lint", "--churn", "."), 1),
        (("lint", "--diff-base", "HEAD", "."), 0),
        (("why", f"{LAMP}:34"), 0),
        (("check", "--engine", "spatch", "."), 0),
        (("doctor", "."), 0),
    ],
)
def test_nothing_of_the_tree_is_run(root, tmp_path, command, code, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    ran = run(root, str(IMPORTS / "run.py"), *command)
    assert (ran.returncode, sprung(root)) == (code, []), ran.stderr
