# SPDX-License-Identifier: GPL-2.0
"""The commands, with stand-ins for the analysis: output, files and exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.cli import patch
from hotcocci.cli.main import main
from hotcocci.rules.ua101_user_access_run import implementation
from hotcocci.engines import spatch
from hotcocci.findings import Edit, Facts, Finding, Rewrite, Skip
from hotcocci.pipeline import decisions
from hotcocci.pipeline.gating import Change, Gated
from hotcocci.rules.rulebook import REASONS
from hotcocci.rules.rulebook import RULES

Make = Callable[..., Path]
Run = Callable[..., int]

TWO = "int f(int *p)\n{\n\tget_user(a, p);\n\tget_user(b, p);\n}\n"
PREPARED = TWO.replace("f(", "prepared(")
REPORTED = TWO.replace("f(", "reported(")


def decide(text: str, facts: Facts, *_: object) -> tuple[list[Finding], list[Rewrite]]:
    """Stand-in for the rewriter: every first access becomes a window."""
    findings, rewrites = [], []
    for match in re.finditer(r"\tget_user\(a, p\);\n", text):
        line = text.count("\n", 0, match.start()) + 1
        tier = "prepared" if "prepared(" in text else "safe"
        verdict = "report" if "reported(" in text else "rewrite"
        finding = Finding(
            "UA101",
            facts.file,
            line,
            line + 1,
            "f",
            "2 reads of p",
            2,
            "p",
            "read",
            verdict,
            tier if verdict == "rewrite" else None,
            "below-min-run" if verdict == "report" else None,
        )
        findings.append(finding)
        if verdict == "rewrite":
            edit = Edit(match.start(), match.end(), "\twindow(p);\n")
            rewrites.append(Rewrite(finding, (edit,), "A", "classic", ("A note.",)))
    return findings, rewrites


def see(
    tree: object, script: object, files: list[str], *_: object, **__: object
) -> tuple[dict[str, object], list[Skip]]:
    """Stand-in for spatch."""
    empty = {name: [] for name in ("accesses", "types", "locals", "statements")}
    skipped = [Skip(file, "took too long") for file in files if "slow" in file]
    return {file: empty for file in files if "slow" not in file}, skipped


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line with stand-ins for spatch, the rewriter and the gate."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    runs = replace(implementation.IMPLEMENTATION, decide=decide)
    monkeypatch.setattr(implementation, "IMPLEMENTATION", runs)
    monkeypatch.setattr(spatch, "facts", see)
    # Spatch's stand-in sees no accesses.
    monkeypatch.setattr(decisions, "unseen", lambda *_: [])
    monkeypatch.setattr(
        patch, "pass_all", lambda tree, wanted, _: Gated(tuple(wanted), (), (), ())
    )

    def start(*arguments: object) -> int:
        words = [str(argument) for argument in arguments]
        rule = ["--rule", "UA101"] if words[0] in ("lint", "patch", "why") else []
        return main([*words, *rule])

    return start


# lint


def test_lint_lines_and_codes(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    root = small_tree({"fs/a.c": TWO, "fs/b.c": REPORTED, "mm/c.c": "int x;"})
    assert run("lint", root, "--all") == 1
    out, err = capsys.readouterr()
    rewrite = f"{root}/fs/a.c:3: UA101 2 reads of p [rewrite/safe]\n"
    assert (
        out == rewrite + f"{root}/fs/b.c:3: UA101 2 reads of p [report/below-min-run]\n"
    )
    assert err == "2 findings in 2 files\n"
    assert run("lint", root) == 1
    assert capsys.readouterr() == (
        rewrite,
        "1 finding in 1 file; 1 more without a rewrite, listed by --all\n",
    )


def test_findings_without_remedy_are_not_printed(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    root = small_tree({"fs/b.c": REPORTED, "mm/c.c": "int x;"})
    assert run("lint", root) == 0
    assert run("lint", root / "mm") == 0
    assert run("lint", root, "--format", "github") == 0
    assert capsys.readouterr() == ("", "")
    assert run("lint", root, "--all") == 1


def test_lint_defaults_to_the_current_folder(
    small_tree: Make,
    run: Run,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = small_tree({"fs/a.c": TWO, "mm/b.c": TWO})
    monkeypatch.chdir(root / "fs")
    assert run("lint") == 1
    assert capsys.readouterr().out == "a.c:3: UA101 2 reads of p [rewrite/safe]\n"


def test_lint_tier(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"a.c": TWO, "b.c": REPORTED, "c.c": PREPARED}
    root = small_tree(files)
    run("lint", root, "--tier", "safe")
    assert len(capsys.readouterr().out.splitlines()) == 1
    run("lint", root, "--tier", "prepared")
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_lint_json(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    root = small_tree({"fs/a.c": TWO, "slow.c": TWO})
    assert run("lint", root, "--format", "json") == 1
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert [finding["file"] for finding in data["findings"]] == ["fs/a.c"]
    assert data["skipped"] == [{"file": "slow.c", "reason": "took too long"}]
    assert err == ""


def test_lint_json_without_findings_is_an_object(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("lint", small_tree({}), "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []


def test_lint_stats(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("lint", small_tree({"a.c": TWO, "b.c": REPORTED}), "--stats") == 1
    out = capsys.readouterr().out
    assert "| findings | 2 |" in out and "| UA101 | below-min-run | 1 |" in out


def test_skipped_files_are_reported(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    run("lint", small_tree({"slow.c": TWO}))
    assert "slow.c: skipped: took too long\n" in capsys.readouterr().err


# Several trees


def test_trees_in_one_folder(
    small_tree: Make,
    run: Run,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("one", "two"):
        small_tree({"a.c": TWO}, f"both/{name}")
    monkeypatch.chdir(tmp_path)
    assert run("lint", "both") == 1
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "both/one/a.c",
        "both/two/a.c",
    ]
    assert run("patch", "both") == 0
    diff = capsys.readouterr().out
    subprocess.run(["git", "apply"], cwd=tmp_path, input=diff.encode(), check=True)
    assert "window" in (tmp_path / "both/two/a.c").read_text()
    assert run("lint", "both", "--format", "json") == 2
    assert capsys.readouterr().err.count("\n") == 1


# patch


def test_patch_prints_a_diff_and_writes_nothing(
    small_tree: Make,
    run: Run,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = small_tree({"a.c": TWO, "b.c": REPORTED, "c.c": PREPARED})
    assert run("patch", root) == 0
    out, err = capsys.readouterr()
    assert out.startswith("diff --git a/a.c b/a.c\n") and out.count("diff --git") == 1
    assert "1 rewrite omitted by tier" in err and "--tier" in err
    assert (root / "a.c").read_text() == TWO
    subprocess.run(["git", "apply"], cwd=root, input=out.encode(), check=True)
    assert "window" in (root / "a.c").read_text()


def test_patch_tier(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    root = small_tree({"a.c": TWO, "c.c": PREPARED})
    assert run("patch", root, "--tier", "prepared") == 0
    assert capsys.readouterr().out.count("diff --git") == 2


def test_patch_apply(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    root = small_tree({"a.c": TWO})
    assert run("patch", root, "--apply") == 0
    assert capsys.readouterr().out == ""
    assert (root / "a.c").read_text() == TWO.replace("get_user(a, p)", "window(p)")
    assert run("lint", root) == 0


def test_patch_refused_by_the_gate(
    small_tree: Make,
    run: Run,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(tree: object, wanted: list[Change], _: object) -> Gated:
        findings = [change.rewrites[0].finding for change in wanted]
        return Gated((), tuple(findings), (Skip("b.c", "no rule"),), ())

    monkeypatch.setattr(patch, "pass_all", refuse)
    root = small_tree({"a.c": TWO})
    assert run("patch", root, "--apply") == 0
    out, err = capsys.readouterr()
    assert out == "" and "a.c:3: UA101" in err and "1 refused" in err
    assert "b.c: not patched" in err and "--allow-uncompiled" in err
    assert (root / "a.c").read_text() == TWO


def test_interactive_needs_a_terminal(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("patch", small_tree({"a.c": TWO}), "--interactive") == 2
    assert "terminal" in capsys.readouterr().err


# why


def test_why_a_rewrite(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    root = small_tree({"fs/a.c": TWO})
    assert run("why", f"{root}/fs/a.c:4") == 0
    out = capsys.readouterr().out
    assert "     4  \tget_user(b, p);" in out
    assert "+\twindow(p);" in out and "A note." in out and "tier safe" in out


def test_why_not(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    root = small_tree({"a.c": REPORTED})
    assert run("why", f"{root}/a.c:3:9") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"below-min-run. {REASONS['below-min-run']}" in out


def test_why_without_an_access(
    small_tree: Make, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    root = small_tree({"a.c": TWO + "\tput_user(1, p);\n", "slow.c": TWO})
    assert run("why", f"{root}/a.c:1") == 0
    out = capsys.readouterr().out
    assert "no get_user()" in out and "UA101 at 3-4" in out
    assert run("why", f"{root}/a.c:6") == 0
    assert "looks like an access but is part of" in capsys.readouterr().out
    assert run("why", f"{root}/slow.c:3") == 0
    assert "took too long" in capsys.readouterr().out


def test_why_for_an_access_spatch_missed(
    small_tree: Make,
    run: Run,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decisions, "unseen", lambda *_: [6])
    root = small_tree({"a.c": TWO + "\tput_user(1, p);\n"})
    assert run("why", f"{root}/a.c:6") == 0
    assert "spatch did not see this access" in capsys.readouterr().out
    assert run("lint", root) == 1
    assert "a.c: skipped: line 6: spatch could not parse" in capsys.readouterr().err


@pytest.mark.parametrize(
    "place", ["a.c", "a.c:0", "a.c:x", ":3", "a.c:99", ".:1", "no:1"]
)
def test_why_bad_place(
    small_tree: Make,
    run: Run,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    place: str,
) -> None:
    monkeypatch.chdir(small_tree({"a.c": TWO}))
    assert run("why", place) == 2
    err = capsys.readouterr().err
    assert err.startswith("hotcocci: ") and err.count("\n") == 1


# rules and doctor


def test_rules(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rules") == 0
    codes = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert codes == [rule.code for rule in RULES]
    assert run("rules", "ua102") == 0
    assert capsys.readouterr().out.startswith("UA102: loop of user accesses\n")
    assert run("rules", "--reasons") == 0
    output = capsys.readouterr().out
    assert all(f"{code} " in output for code in REASONS)
    assert run("rules", "UA999") == 2
    assert "UA999" in capsys.readouterr().err


def test_doctor(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("doctor") == 0
    assert "spatch" in capsys.readouterr().out
    monkeypatch.setenv("PATH", "/nowhere")
    assert run("doctor") == 2
    out = capsys.readouterr().out
    assert "apt-get install coccinelle" in out and "without it: " in out


# Errors


@pytest.mark.parametrize(
    "words",
    [
        ["lint", "/dev"],
        ["lint", "/no/such/path"],
        ["lint", "--rule", "XX1"],
        ["lint", "--jobs", "0"],
        ["lint", "--min-run", "many"],
        ["lint", "--no-such-option"],
        ["lint", "--cache-dir", "fs"],
        ["patch", "a.txt"],
        ["frobnicate"],
        [],
    ],
)
def test_bad_input_is_one_line(
    small_tree: Make,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    root = small_tree({"a.txt": "", "fs/a.c": TWO})
    monkeypatch.chdir(root)
    before = sorted(os.walk(root))
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("hotcocci: ") and err.count("\n") == 1
    assert sorted(os.walk(root)) == before
