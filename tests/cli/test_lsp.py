# SPDX-License-Identifier: GPL-2.0
"""The language server as a real process, driven by a protocol client."""

import asyncio
import json
import shutil
import signal
import subprocess
import time
from dataclasses import replace
from functools import partial

import pytest
from lsp_client import SECONDS, edited, in_editor
from lsprotocol import types
from small_kernel import ENDS_ANOTHER

from hotcocci.cli import lsp, lsp_server
from hotcocci.cli.main import parser
from hotcocci.cli.options import settings_of
from tests.shared import FIXTURES, PROGRAM, is_running

pytestmark = pytest.mark.whole

# First lines, from 0, of the findings in lamp.c: two runs and a loop
STATE, SET, PALETTE = 33, 49, 69
seldom = partial(pytest.param, marks=pytest.mark.slow)
CHOSEN = ("--tier", "prepared", "--rule", "UA101", "--rule", "UA102")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """One cache for all tests, so that facts are computed once."""
    return tmp_path_factory.mktemp("lsp")


@pytest.fixture
def tree(place):
    """A fresh, writable copy of a miniature tree."""
    shutil.rmtree(place / "classic", ignore_errors=True)
    shutil.copytree(FIXTURES / "classic", place / "classic", symlinks=True)
    return place / "classic"


@pytest.fixture
def lamp(tree):
    return tree / "drivers" / "lamp.c"


@pytest.fixture
def cache(place):
    return ("--churn", "--cache-dir", place / "cache")


def lines(found):
    return [each.range.start.line for each in found]


def edits_of(action, version):
    """The edits of an action, which must match this version of the text."""
    assert action.edit is not None and action.edit.document_changes is not None
    (change,) = action.edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.version == version
    return [each for each in change.edits if isinstance(each, types.TextEdit)]


def test_findings_and_rewrites(lamp, cache):
    async def edit(editor):
        editor.open(lamp)
        found = await editor.diagnostics()
        assert lines(found) == [STATE, SET, PALETTE]
        first = found[0]
        last = lamp.read_text(encoding="utf-8").split("\n")[STATE + 3]
        assert first.range == types.Range(
            types.Position(STATE, 1), types.Position(STATE + 3, len(last))
        )
        assert first.code == "UA101" and first.source == "hotcocci"
        assert first.severity == types.DiagnosticSeverity.Information
        assert first.message.endswith("[rewrite/safe]")
        assert first.code_description.href.endswith("/docs/rules/UA101.md")
        assert "UA101" in await editor.hover(lamp, STATE + 3)
        hover = await editor.hover(lamp, PALETTE)
        assert "UA102" in hover and "in tier prepared" in hover
        assert await editor.hover(lamp, 0) == ""
        rewrite, allow = await editor.actions(lamp, STATE)
        text = lamp.read_text(encoding="utf-8")
        after = edited(text, edits_of(rewrite, 1))
        assert "if (!user_write_access_begin(state, sizeof(*state)))" in after
        assert after.count("efault:\n") == 1 and after.count("access_end()") == 2
        after = edited(text, edits_of(allow, 1))
        assert "\t/* hotcocci: allow UA101 - */\n\tif (put_user(" in after
        assert await editor.actions(lamp, 0) == []
        editor.close(lamp)
        assert await editor.diagnostics() == []
        assert await editor.leave() == 0

    in_editor(edit, *cache, *CHOSEN)


def test_unsaved_text(lamp, cache):
    text = lamp.read_text(encoding="utf-8")
    head = "int lamp_set_state(struct lamp *lamp, const struct lamp_state __user *state)\n{"

    async def edit(editor):
        editor.open(lamp)
        await editor.diagnostics()
        # A line is added before the second finding: later ones move.
        longer = text.replace(head, f"\n{head}")
        editor.change(lamp, 2, longer)
        # At once where the findings move to, then what the edited text has.
        assert lines(await editor.diagnostics()) == [STATE, SET + 1, PALETTE + 1]
        rewrite, allow = await editor.actions(lamp, SET + 1)
        assert rewrite.edit is None and rewrite.disabled is not None
        assert "just edited" in rewrite.disabled.reason
        assert lines(await editor.diagnostics()) == [STATE, SET + 1, PALETTE + 1]
        rewrite, allow = await editor.actions(lamp, SET + 1)
        after = edited(longer, edits_of(rewrite, 2))
        assert "if (!user_read_access_begin(state, sizeof(*state)))" in after
        # After adding the comment, the finding is gone; nothing was saved.
        allowed = edited(longer, edits_of(allow, 2)).replace("A101 -", "A101 - so")
        editor.change(lamp, 3, allowed)
        await editor.diagnostics()
        assert lines(await editor.diagnostics()) == [STATE, PALETTE + 2]
        editor.change(lamp, 4, f"/* half a pair: \ud83d */\n{text}")
        await editor.diagnostics()
        assert lines(await editor.diagnostics()) == [STATE + 1, SET + 1, PALETTE + 1]
        assert lamp.read_text(encoding="utf-8") == text

    in_editor(edit, *cache, *CHOSEN)


def test_errors_are_reported_once_and_do_not_stop_the_server(tree, lamp):
    async def edit(editor):
        unsaved = types.TextDocumentItem("untitled:Untitled-1", "c", 1, "int x;\n")
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(unsaved))
        editor.open(lamp)
        assert await editor.diagnostics() == []
        editor.save(lamp)
        assert await editor.diagnostics() == []
        nameless, output = editor.messages
        said = "has no file name: save it into a kernel tree"
        assert nameless == f"hotcocci: untitled:Untitled-1 {said}"
        assert output.startswith("hotcocci: ") and "inside the kernel tree" in output
        assert await editor.hover(lamp, STATE) == ""
        assert await editor.leave() == 0

    in_editor(edit, "--cache-dir", tree / "cache")
    assert not (tree / "cache").exists()


def test_violations_are_errors(tree, cache):
    broken = tree / "drivers" / "broken.c"
    broken.write_text(ENDS_ANOTHER, encoding="ascii")

    async def edit(editor):
        editor.open(broken)
        (found,) = await editor.diagnostics()
        assert found.code == "UW03" and found.range.start.line == 5
        assert found.severity == types.DiagnosticSeverity.Error
        assert found.message.endswith("[spatch]")
        (opened,) = found.related_information
        assert opened.location.uri == broken.as_uri()
        assert opened.location.range.start.line == 2
        # Moved by unsaved lines: the violation itself is shown, its other place is not.
        editor.change(broken, 2, "\n" + ENDS_ANOTHER)
        (found,) = await editor.diagnostics()
        assert found.range.start.line == 6 and found.related_information is None
        assert "UW03" in await editor.hover(broken, 6)

    in_editor(edit, *cache, "--rule", "UW03")


@pytest.mark.parametrize("path", ["", seldom(":"), seldom("."), "tools"])
def test_nothing_of_the_folder_is_imported(lamp, tmp_path, path, monkeypatch):
    sprung = tmp_path / "sprung"
    trap = f"open({str(sprung)!r}, 'a').write(__name__)\nraise SystemExit(9)\n"
    names = "hotcocci argparse signal tomllib sitecustomize usercustomize".split()
    for folder in (tmp_path, tmp_path / "tools"):
        folder.mkdir(exist_ok=True)
        for name in names:
            (folder / f"{name}.py").write_text(trap, encoding="ascii")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", path)
    command = ["lint", "--churn", "--format=sarif", "--stdin"]
    command.append(f"--cache-dir={tmp_path / 'cache'}")
    found = asyncio.run(lsp_server.look(lamp, lamp.read_text("ascii"), [command]))
    assert len(found.results) >= 3 and not sprung.exists()


# Processes


@pytest.fixture
def hanging(tmp_path, program):
    """A file to which spatch, which hangs while it exists, appends its PID."""
    flag = tmp_path / "hang"
    flag.touch()
    real = shutil.which("spatch")
    program(
        "spatch",
        f'[ "$1" = --version ] && exec {real} "$@"\n'
        f'[ -e {flag} ] && echo $$ >> {flag} && exec sleep 1000\nexec {real} "$@"',
    )
    return flag


async def until(event):
    """Whether something is so soon."""
    deadline = time.monotonic() + SECONDS
    while not event() and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    return bool(event())


async def started(flag):
    """Wait for hanging processes; returns their PIDs."""
    assert await until(flag.read_text)
    return [int(number) for number in flag.read_text().split()]


async def ended(numbers):
    """Whether these processes end soon."""
    return await until(lambda: not any(map(is_running, numbers)))


@pytest.mark.parametrize("way", [seldom("save"), "edit"])
def test_a_newer_request_cancels_the_older(lamp, tmp_path, hanging, way):
    async def edit(editor):
        editor.open(lamp)
        numbers = await started(hanging)
        hanging.unlink()
        if way == "save":
            editor.save(lamp)
        else:
            text = lamp.read_text(encoding="utf-8")
            editor.change(lamp, 2, text.replace("/* A lamp", "/* One lamp"))
        assert lines(await editor.diagnostics()) == [STATE, SET, PALETTE]
        assert await ended(numbers)
        assert editor.published.empty() and editor.messages == []

    in_editor(edit, "--churn", "--cache-dir", tmp_path / "cache", *CHOSEN)


@pytest.mark.parametrize(
    "way", ["shutdown", seldom("close"), "SIGTERM", seldom("end of input")]
)
def test_nothing_is_left_running(lamp, tmp_path, hanging, way):
    async def edit(editor):
        editor.open(lamp)
        numbers = await started(hanging)
        if way == "shutdown":
            assert await editor.leave() == 0
        elif way == "close":
            editor.close(lamp)
        elif way == "SIGTERM":
            editor.process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(editor.process.wait(), SECONDS)
        else:
            editor.process.stdin.close()
            assert await asyncio.wait_for(editor.process.wait(), SECONDS) == 1
        assert await ended(numbers)

    in_editor(edit, "--churn", "--cache-dir", tmp_path / "cache", *CHOSEN)


# Options


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([], ["lint", "check"]),
        (["UA101"], ["lint"]),
        (["UW03"], ["check"]),
        (["UW03", "UA101"], ["lint", "check"]),
    ],
)
def test_rules_select_the_command(rules, expected):
    chosen = [f"--rule={code}" for code in rules]
    settings = settings_of(parser().parse_args(["lsp", "--min-run=2", *chosen]))
    commands = lsp.commands(settings)
    assert [command[0] for command in commands] == expected
    for command in commands:
        given = parser().parse_args([*command, "a.c"])
        assert given.format == "sarif" and given.jobs == 1
        assert given.rules == [
            r for r in rules if (r[1] == "W") == (command[0] == "check")
        ]
        assert command[0] == "check" or given.min_run == 2
    asked = lsp.commands(replace(settings, show="cold"))
    assert all(("--show=cold" in each) == (each[0] == "lint") for each in asked)


def test_an_editor_may_exit_before_the_answer():
    setup = {"processId": None, "rootUri": None, "capabilities": {}}
    text = b""
    for message in (
        {"id": 0, "method": "initialize", "params": setup},
        {"id": 1, "method": "shutdown"},
        {"method": "exit"},
    ):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        text += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    argv = [*PROGRAM, "lsp"]
    done = subprocess.run(argv, input=text, capture_output=True, timeout=SECONDS)
    assert (done.returncode, done.stderr) == (0, b"")
