# SPDX-License-Identifier: GPL-2.0
"""``patch --interactive`` on a real terminal."""

from __future__ import annotations
from types import SimpleNamespace
from hotcocci.temporary import own_folder
import tempfile

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from hotcocci.cli import interactive
from hotcocci.findings import Edit, Finding, Rewrite
from hotcocci.pipeline.changes import Gated, change_of
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.kernel import Features, Tree

HOME = Path(__file__).parents[2]
FIXTURES = HOME / "kernel-fixtures"
LAMP = "drivers/lamp.c"
QUESTION = r"\(\d/3\) Take this rewrite \[y,n,a,q,e,p,\?\]\? "
# The functions of lamp.c with a rewrite, in file order
STATE, SET, PALETTE = "lamp_get_state(", "lamp_set_state(", "lamp_get_palette("

Start = Callable[..., pexpect.spawn]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests, so that facts are computed once."""
    return tmp_path_factory.mktemp("interactive")


@pytest.fixture
def tree(place: Path) -> Path:
    """A fresh, writable copy of a miniature tree."""
    for name in ("classic", "harness"):
        shutil.rmtree(place / name, ignore_errors=True)
        shutil.copytree(FIXTURES / name, place / name, symlinks=True)
    return place / "classic"


@pytest.fixture
def start(builds: None, tree: Path, place: Path, tmp_path: Path) -> Start:
    """Start the command on a terminal; standard output goes to the file ``printed``."""

    def begin(
        *options: str, editor: str = "false", term: str = "dumb"
    ) -> pexpect.spawn:
        argv = [sys.executable, str(HOME / "run.py"), "patch", "--churn", str(tree)]
        argv += ["--interactive", "--tier", "prepared", "--rule", "UA101"]
        argv += ["--rule", "UA102", "--cache-dir", str(place / "cache")]
        script = tmp_path / "editor"
        script.write_text(f"#!/bin/sh\nfile=$1\n{editor}\n", encoding="ascii")
        script.chmod(0o755)
        unset = ("NO_COLOR", "GIT_EDITOR", "VISUAL")
        kept = {name: v for name, v in os.environ.items() if name not in unset}
        return pexpect.spawn(
            "/bin/sh",
            ["-c", 'exec "$@" > "$0"', str(tmp_path / "printed"), *argv, *options],
            env={**kept, "TERM": term, "GIT_EDITOR": str(script)},
            encoding="utf-8",
            timeout=120,
            dimensions=(50, 200),
        )

    return begin


def talk(child: pexpect.spawn, *answers: str) -> list[str]:
    """Answer the questions; returns the output before each answer, and after the last."""
    outputs = []
    for answer in answers:
        child.expect(r"\]\? ")
        outputs.append(child.before)
        child.sendline(answer)
    child.expect(pexpect.EOF)
    outputs.append(child.before)
    child.close()
    return outputs


def changed(tree: Path) -> list[str]:
    """List the functions of the file that have a window."""
    text = (tree / LAMP).read_text(encoding="utf-8")
    bodies = {name: text.split(f"\nint {name}")[-1].split("\n}\n")[0] for name in NAMES}
    return [name for name, body in bodies.items() if "access_begin" in body]


NAMES = (STATE, SET, PALETTE)


@pytest.mark.parametrize(
    ("answers", "taken"),
    [("na", [SET, PALETTE]), ("yq", [STATE])],
)
def test_accepted_rewrites_are_written(
    start: Start, tree: Path, answers: str, taken: list[str]
) -> None:
    child = start("--apply")
    *_, last = talk(child, *answers)
    assert child.exitstatus == 0
    assert changed(tree) == taken
    assert f"{len(taken)} rewrite" in last


def test_accepted_rewrites_are_printed(
    start: Start, tree: Path, tmp_path: Path
) -> None:
    child = start()
    first, *_ = talk(child, "y", "n", "n")
    assert child.exitstatus == 0
    assert changed(tree) == []
    # The dialogue is on the terminal, the patch alone on standard output.
    assert ": 4 put_user() to state in lamp_get_state()" in first
    printed = (tmp_path / "printed").read_bytes()
    subprocess.run(["git", "apply"], cwd=tree, input=printed, check=True)
    assert changed(tree) == [STATE]


def test_other_keys_ask_again(start: Start, tree: Path) -> None:
    child = start("--apply", term="xterm")
    first, helped, proven, *_ = talk(child, "?", "p", "q")
    assert "\x1b[31m-" in first and "\x1b[32m+" in first
    assert "prove this rewrite" in helped and "(1/3)" in helped
    assert "compile host: passed" in proven and "windows: passed" in proven
    assert child.exitstatus == 0 and changed(tree) == []


def test_an_edited_rewrite_is_checked_and_written(start: Start, tree: Path) -> None:
    child = start("--apply", editor='sed -i s/efault/out_fault/ "$file"')
    *_, last = talk(child, "n", "e", "y")
    assert child.exitstatus == 0 and "2 rewrites in 1 file applied" in last
    assert changed(tree) == [SET, PALETTE]
    text = (tree / LAMP).read_text(encoding="utf-8")
    assert "unsafe_get_user(brightness, &state->brightness, out_fault);" in text
    assert text.count("out_fault:") == 1 and text.count("efault:") == 1


def test_an_edit_that_does_not_apply_is_refused(start: Start, tree: Path) -> None:
    editor = r"""echo >> "$0.count"
case $(wc -l < "$0.count") in
1) sed -i 's/^ \tmutex_lock/ \tmutex_trylock/' "$file" ;;
2) echo 'no sign' > "$file" ;;
3) sed -i '2s/^./x/' "$file" ;;
4) exit 3 ;;
5) sed -i '/^[^#]/d' "$file" ;;
esac"""
    child = start("--apply", editor=editor)
    outputs = talk(child, *(["e", "n"] * 3), "e", "e", "y", "q")
    for answer, reason in zip(
        outputs[1:7:2],
        ("does not apply", "keep its @@ line", "does not start with"),
        strict=True,
    ):
        assert reason in answer and "Edit again" in answer
    assert "exited with status 3" in outputs[7]
    # The fifth edit removed all hunks: the original rewrite is offered again.
    assert outputs[8].strip() == "e\r\n(1/3) Take this rewrite [y,n,a,q,e,p,?".strip()
    assert child.exitstatus == 0 and changed(tree) == [STATE]


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "end of input"])
def test_quitting_writes_nothing(
    start: Start, tree: Path, tmp_path: Path, key: str
) -> None:
    child = start("--apply")
    child.expect(QUESTION)
    child.sendline("y")
    child.expect(QUESTION)
    child.send(key)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == (130 if key == "\x03" else 2)
    assert child.before.count("hotcocci: ") == 1 and "Traceback" not in child.before
    assert changed(tree) == [] and not (tmp_path / "printed").read_bytes()


def test_a_file_changed_meanwhile_is_not_written(start: Start, tree: Path) -> None:
    child = start("--apply")
    child.expect(QUESTION)
    with (tree / LAMP).open("a", encoding="utf-8") as out:
        out.write("/* by somebody else */\n")
    child.sendline("a")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 2 and "was changed in" in child.before
    assert "0 rewrites in 0 files applied" in child.before
    assert changed(tree) == []
    assert (tree / LAMP).read_text().endswith("/* by somebody else */\n")


def finding(line: int) -> Finding:
    return Finding(
        *("UA101", "a.c", line, line, "f", "2 reads", 2, "p", "read", "rewrite"),
        *("safe", None),
    )


def conflicting() -> None:
    """Ask about three rewrites, and print the text with those that were taken."""
    before = "a\nb\nc\nd\ne\n"
    rewrites = tuple(
        Rewrite(finding(line), (Edit(at, at + 1, before[at].upper()),), "A", "classic")
        for line, at in ((2, 2), (3, 6), (4, 4))
    )
    change = change_of("a.c", before, rewrites, 3)
    tree = Tree(Path.cwd(), Features(False, False, False, False, False, frozenset()))
    (left,) = interactive.review(
        [(tree, Gated((change,), (), (), ()))],
        lambda _, wanted: Gated(tuple(wanted), (), (), ()),
        Settings(),
    )
    print(*(change.after for change in left.passed), end="")


@pytest.mark.parametrize("answers", ["eyyn", "ea"])
def test_rewrites_of_edited_lines_are_skipped(answers: str, tmp_path: Path) -> None:
    # The edit also removes the line of the last rewrite: neither y nor a can apply that one.
    editor = {**os.environ, "GIT_EDITOR": "sed -i '0,/^ c$/s//-c/'"}
    code = "import sys; sys.path.insert(0, sys.argv[1]); import test_interactive as t; t.conflicting()"
    ran = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)],
        input="\n".join(answers),
        env={**editor, "PYTHONPATH": str(HOME)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "a\nB\nD\ne\n"
    assert "conflicts with the rewrite taken at line 2" in ran.stderr


def test_a_saved_edit_outlives_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    offer = SimpleNamespace(change=SimpleNamespace(file="fs/a.c"))
    with own_folder():
        saved = interactive._keep(SimpleNamespace(offer=offer, edited="@@ text\n"))
    assert Path(saved).read_text() == "--- a/fs/a.c\n+++ b/fs/a.c\n@@ text\n"
