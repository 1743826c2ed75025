# SPDX-License-Identifier: GPL-2.0
"""The check command on a small tree, with spatch only."""

import json
import shutil

import pytest
from small_kernel import ENDS_ANOTHER, TEXTS, WINDOW

from hotcocci.findings import OBJECTS, Report
from hotcocci.pipeline import unit_engines, window_reports
from tests.shared import FIXTURES

pytestmark = pytest.mark.whole

FILE = "drivers/window.c"
BEGIN, ACCESS, END = 3, 5, 6
BALANCED = (TEXTS / "balanced.c").read_text(encoding="utf-8")


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "tree"
    shutil.copytree(FIXTURES / "classic", root, symlinks=False)
    (root / FILE).write_text(ENDS_ANOTHER)
    return root


@pytest.fixture
def check(tree, said):
    return lambda *words: said("check", tree, "--engine", "spatch", *words)


def test_a_violation_is_reported_with_its_window(check, tree):
    code, out, err = check()
    file, note = tree / FILE, "the window is opened here"
    message = "user_read_access_end() ends a window that needs user_write_access_end()"
    assert code == 1
    assert out.splitlines() == [
        f"{file}:{END}: UW03 {message} [spatch]",
        f"{file}:{BEGIN}: note: {note}",
    ]
    assert err.splitlines()[-1].startswith("1 violation in 1 file, ")
    # The other fields, and that none is missing, are tested with the schema.
    (found,) = json.loads(check("--format", "json")[1])["findings"]
    wanted = {"rule": "UW03", "line": END, "function": "writes", "verdict": "report"}
    wanted |= {"engines": ["spatch"]}
    assert wanted.items() <= found.items()
    assert found["notes"] == [{"file": FILE, "line": BEGIN, "message": note}]


def test_what_conditions_balance_is_no_violation_of_machine_code_alone(
    tree, said, monkeypatch
):
    wrong = "this return is reached with the window open"
    (tree / FILE).write_text(WINDOW + BALANCED)
    made = [
        Report("UW02", FILE, at, name, wrong, OBJECTS)
        for at, name in ((7, "writes"), (22, "g"))
    ]
    monkeypatch.setattr(unit_engines, "unit_reports", lambda *_: (made, []))
    code, out, _ = said("check", tree, "--engine", "objects")
    assert (code, out) == (1, f"{tree / FILE}:7: UW02 {wrong} [objects]\n")


def test_a_missing_engine_is_named_before_other_work(check, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(window_reports, "window_reports", None)
    code, _, err = check("--engine", "spatch", "--engine", "smatch")
    assert (code, "there is no smatch" in err) == (2, True)


def test_only_the_selected_rule(check):
    assert check("--rule", "UW02")[:2] == (0, "")
    assert check("--rule", "uw03")[0] == 1
    code, out, _ = check("--rule", "UW24")
    assert (code, out.count(": UW24 ")) == (1, 1)


def test_accesses_with_one_cause_are_one_report(check, tree, tmp_path):
    file, known = tree / FILE, tmp_path / "known.json"
    second = "\tunsafe_put_user(x, &to->y, efault);\n"
    lines = WINDOW.replace("write_access", "read_access").splitlines(True)
    file.write_text("".join([*lines[:ACCESS], second, *lines[ACCESS:]]))
    code, out, err = check()
    assert code == 1 and f"{file}:{ACCESS}: UW04" in out
    assert f"(also at line {ACCESS + 1}) [spatch]" in out
    assert err.splitlines()[-1].startswith("1 violation in 1 file, ")
    (found,) = json.loads(check("--format", "json")[1])["findings"]
    assert [each["line"] for each in found["also"]] == [ACCESS + 1]
    # A baseline has each line, so that it still holds without the first.
    check("--write-baseline", known)
    lines.insert(ACCESS, second.replace("\n", " /* hotcocci: allow UW04 - why */\n"))
    file.write_text("".join(lines))
    out = check()[1]
    assert f"{file}:{ACCESS}: UW04" in out and "also at" not in out
    file.write_text("".join([*lines[: ACCESS - 1], second, *lines[ACCESS + 1 :]]))
    assert check("--baseline", known)[:2] == (0, "")
