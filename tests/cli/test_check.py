# SPDX-License-Identifier: GPL-2.0
"""The check command on a small tree, with spatch only."""

import json
import shutil
from pathlib import Path

import pytest

from hotcocci.findings import OBJECTS, Report
from hotcocci.pipeline import unit_engines, window_reports

pytestmark = pytest.mark.whole

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"

BROKEN = """\
int f(struct point __user *to, int x)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(x, &to->x, efault);
	user_read_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
"""
BEGIN, ACCESS, END = 3, 5, 6
BALANCED = """\
int g(int __user *to, int x, bool open)
{
	if (open && !user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	if (open) {
		unsafe_put_user(x, to, efault);
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
"""


@pytest.fixture
def tree(tmp_path) -> Path:
    root = tmp_path / "tree"
    shutil.copytree(FIXTURES / "classic", root, symlinks=False)
    (root / "drivers/window.c").write_text(BROKEN)
    return root


@pytest.fixture
def check(tree, tmp_path, said):
    cache = ["--cache-dir", tmp_path / "cache", "--engine", "spatch"]
    return lambda *arguments: said("check", tree, *cache, *arguments)


def test_a_violation_is_reported_with_its_window(check, tree):
    code, out, err = check()
    file = tree / "drivers/window.c"
    assert code == 1
    assert out.splitlines() == [
        f"{file}:{END}: UW03 user_read_access_end() ends a window that "
        "needs user_write_access_end() [spatch]",
        f"{file}:{BEGIN}: note: the window is opened here",
    ]
    assert err.splitlines()[-1].startswith("1 violation in 1 file, ")


def test_what_conditions_balance_is_no_violation_of_machine_code_alone(
    tree, said, tmp_path, monkeypatch
):
    file, wrong = "drivers/window.c", "this return is reached with the window open"
    (tree / file).write_text(BROKEN + BALANCED)
    made = [
        Report("UW02", file, at, name, wrong, OBJECTS)
        for at, name in ((7, "f"), (21, "g"))
    ]
    monkeypatch.setattr(unit_engines, "unit_reports", lambda *_: (made, []))
    cache = ["--cache-dir", tmp_path / "cache"]
    code, out, _ = said("check", tree, *cache, "--engine", "objects")
    assert (code, out) == (1, f"{tree / file}:7: UW02 {wrong} [objects]\n")


def test_a_missing_engine_is_named_before_other_work(check, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(window_reports, "window_reports", None)
    code, _, err = check("--engine", "spatch", "--engine", "smatch")
    assert (code, "there is no smatch" in err) == (2, True)


def test_json_has_what_checks_have(check):
    """The other fields, and that none is missing, are tested with the schema."""
    code, out, _ = check("--format", "json")
    (found,) = json.loads(out)["findings"]
    wanted = {"rule": "UW03", "line": END, "function": "f", "verdict": "report"}
    assert code == 1 and wanted.items() <= found.items()
    assert found["engines"] == ["spatch"]
    note = "the window is opened here"
    assert found["notes"] == [
        {"file": "drivers/window.c", "line": BEGIN, "message": note}
    ]


def test_only_the_selected_rule(check):
    assert check("--rule", "UW02")[:2] == (0, "")
    assert check("--rule", "uw03")[0] == 1
    code, out, _ = check("--rule", "UW24")
    assert (code, out.count(": UW24 ")) == (1, 1)


def test_accesses_with_one_cause_are_one_report(check, tree, tmp_path):
    file, known = tree / "drivers/window.c", tmp_path / "known.json"
    broken = BROKEN.replace("write_access_begin", "read_access_begin")
    second = "\tunsafe_put_user(x, &to->y, efault);\n"
    lines = broken.replace("write_access_end", "read_access_end").splitlines(True)
    file.write_text("".join([*lines[:ACCESS], second, *lines[ACCESS:]]))
    code, out, err = check()
    assert code == 1
    assert f"{file}:{ACCESS}: UW04" in out
    assert f"(also at line {ACCESS + 1}) [spatch]" in out
    assert err.splitlines()[-1].startswith("1 violation in 1 file, ")
    (found,) = json.loads(check("--format", "json")[1])["findings"]
    assert [each["line"] for each in found["also"]] == [ACCESS + 1]
    # A baseline has each line, so that it still holds without the first.
    check("--write-baseline", str(known))
    lines.insert(ACCESS, second.replace("\n", " /* hotcocci: allow UW04 - why */\n"))
    file.write_text("".join(lines))
    _, out, _ = check()
    assert f"{file}:{ACCESS}: UW04" in out
    assert "the same" not in out
    file.write_text("".join([*lines[: ACCESS - 1], second, *lines[ACCESS + 1 :]]))
    assert check("--baseline", str(known))[:2] == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rule", "UA101"], "UA101 is not a window rule: see 'lint --help'"),
        (["--rule", "UW77"], "there is no rule UW77"),
        (["--engine", "magic"], "invalid choice: 'magic'"),
        (["--baseline", "/nowhere/known.json"], "write it first"),
        (["--baseline", "a", "--write-baseline", "b"], "omit one of them"),
        (["--jobs", "0"], "is not a positive number"),
    ],
)
def test_bad_input_is_one_line(check, arguments, message):
    code, out, err = check(*arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err


def test_a_requested_engine_that_is_missing_is_an_error(
    tree, tmp_path, monkeypatch, said
):
    monkeypatch.setenv("SMATCH", str(tmp_path / "no-smatch"))
    cache = ["--cache-dir", tmp_path / "cache"]
    code, out, err = said("check", tree, *cache, "--engine", "smatch")
    assert (code, out, err.count("\n")) == (2, "", 1) and "no-smatch" in err
