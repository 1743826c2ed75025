# SPDX-License-Identifier: GPL-2.0
"""The order of findings: by profile, by estimate, and by location."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.cli import patch
from hotcocci.cli.main import main
from hotcocci.rules.ua101_user_access_run import implementation
from hotcocci.engines import spatch
from hotcocci.findings import Cost, Count, Edit, Facts, Finding, Gain, Proof, Rewrite
from hotcocci.pipeline import decisions
from hotcocci.pipeline.gating import Gated

Make = Callable[..., Path]
Run = Callable[..., tuple[int, str, str]]


def function(name: str, number: int = 2, static: bool = False, calls: str = "") -> str:
    """A function with this many accesses in a run."""
    reads = "\tget_user(a, p);\n" * number
    called = f"\t{calls}(p);\n" if calls else ""
    return f"{'static ' if static else ''}int {name}(int *p)\n{{\n{reads}{called}}}\n\n"


def decide(text: str, facts: Facts, *_: object) -> tuple[list[Finding], list[Rewrite]]:
    """Stand-in for the rewriter: the accesses of each function become a window."""
    rewrites = []
    for found in re.finditer(r"int (\w+)\(int \*p\)\n\{\n((?:\tget_user.*\n)+)", text):
        line = text.count("\n", 0, found.start(2)) + 1
        number = found[2].count("\n")
        finding = Finding(
            "UA101",
            facts.file,
            line,
            line + number - 1,
            found[1],
            f"{number} reads",
            number,
            "p",
            "read",
            "rewrite",
            "safe",
            None,
        )
        edit = Edit(found.start(2), found.end(2), "\twindow(p);\n")
        rewrites.append(Rewrite(finding, (edit,), "A", "classic"))
    return [rewrite.finding for rewrite in rewrites], rewrites


def cost(instructions: int, expensive: int) -> Cost:
    count = Count(instructions, 0, expensive, 0)
    return Cost(count, count, 0)


@pytest.fixture
def run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run the command line with stand-ins for spatch, the rewriter and the gate."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    runs = replace(implementation.IMPLEMENTATION, decide=decide)
    monkeypatch.setattr(implementation, "IMPLEMENTATION", runs)
    monkeypatch.setattr(
        spatch,
        "facts",
        lambda tree, script, files, *_, **__: ({f: {} for f in files}, []),
    )
    monkeypatch.setattr(decisions, "unseen", lambda *_: [])

    def pass_gate(tree: object, wanted: list, args: object) -> Gated:
        proofs = [
            Proof(
                change.file,
                (),
                tuple(
                    Gain(
                        "x86-64",
                        change.file,
                        rewrite.finding.function,
                        cost(100, 10 * rewrite.finding.accesses),
                        cost(90, 2),
                    )
                    for rewrite in change.rewrites
                ),
            )
            for change in wanted
        ]
        return Gated(tuple(wanted), (), (), (), tuple(proofs))

    monkeypatch.setattr(patch, "pass_all", pass_gate)

    def start(*arguments: object) -> tuple[int, str, str]:
        code = main([*map(str, arguments), "--rule", "UA101", "--jobs", "1"])
        return code, *capsys.readouterr()

    return start


@pytest.fixture
def root(small_tree: Make) -> Path:
    inlined = function("inlined", static=True) + function("caller", calls="inlined")
    return small_tree(
        {
            "drivers/a.c": function("rare", 9),
            "drivers/b.c": function("warm") + inlined,
            "fs/readdir.c": function("filldir64", 3),
        }
    )


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    path = tmp_path / "report.txt"
    path.write_text(
        "# Overhead  Command  Symbol\n"
        " 30.00%  a  [k] hot\n  9.50%  a  [k] caller\n  0.25%  a  [k] warm.isra.0\n"
    )
    return path


def functions(out: str, root: Path) -> list[str]:
    """Map the locations of printed findings to functions."""
    lines = [line.split(": ")[0] for line in out.splitlines()]
    found = []
    for place in lines:
        file, number = place.rsplit(":", 1)
        before = Path(file).read_text().split("\n")[: int(number)]
        found.append(re.findall(r"int (\w+)\(", "\n".join(before))[-1])
    return found


def test_without_a_profile_findings_are_in_file_order(run: Run, root: Path) -> None:
    code, out, err = run("lint", root)
    assert code == 1
    assert functions(out, root) == ["rare", "warm", "inlined", "caller", "filldir64"]
    assert "samples" not in out and "guess" not in err


def test_a_profile_orders_by_samples(run: Run, root: Path, profile: Path) -> None:
    _, out, _ = run("lint", root, "--profile", profile)
    assert functions(out, root) == ["inlined", "caller", "warm", "rare", "filldir64"]
    assert [line.partition("safe, ")[2] for line in out.splitlines()] == [
        "at most 9.50% of samples]",
        "9.50% of samples]",
        "0.25% of samples]",
        "not in the profile]",
        "not in the profile]",
    ]


def test_hot_filters_and_reports_the_number(
    run: Run, root: Path, profile: Path
) -> None:
    code, out, err = run("lint", root, "--profile", profile, "--hot", "1%")
    assert code == 1
    assert functions(out, root) == ["inlined", "caller"]
    assert (
        "3 findings below 1% omitted, 2 of them in functions that are not in the profile"
        in err
    )
    code, out, _ = run("lint", root, "--profile", profile, "--hot", "50")
    assert (code, out) == (0, "")


def test_json_always_has_the_share(run: Run, root: Path, profile: Path) -> None:
    _, out, _ = run("lint", root, "--format", "json", "--profile", profile)
    found = {f["function"]: f for f in json.loads(out)["findings"]}
    assert list(found) == ["inlined", "caller", "warm", "rare", "filldir64"]
    assert (found["caller"]["share"], found["caller"]["share_at_most"]) == (9.5, None)
    assert (found["inlined"]["share"], found["inlined"]["share_at_most"]) == (None, 9.5)
    assert (found["rare"]["share"], found["rare"]["share_at_most"]) == (None, None)
    _, out, _ = run("lint", root, "--format", "json")
    assert {f["share"] for f in json.loads(out)["findings"]} == {None}


def test_rank_orders_by_estimate(run: Run, root: Path) -> None:
    _, out, err = run("lint", root, "--rank")
    assert functions(out, root) == ["filldir64", "rare", "warm", "inlined", "caller"]
    assert "the order is an estimate" in err and "--profile" in err


def test_rank_with_a_profile_is_no_estimate(
    run: Run, root: Path, profile: Path
) -> None:
    _, out, err = run("lint", root, "--rank", "--profile", profile)
    assert functions(out, root)[0] == "inlined"
    assert "guess" not in err


def test_patch_names_the_best_first(run: Run, root: Path, profile: Path) -> None:
    code, out, err = run("patch", root)
    assert code == 0
    assert [line[6:] for line in out.splitlines() if line.startswith("+++ ")] == [
        "drivers/a.c",
        "drivers/b.c",
        "fs/readdir.c",
    ]
    lines = err.splitlines()
    first = next(i for i, line in enumerate(lines) if "times estimated hotness" in line)
    # Saves 10 instructions and 28 switches; a switch counts as ten.
    assert "filldir64(): 1 rewrite, saves 262, hotness 1" in lines[first + 1]
    assert "rare(): 1 rewrite, saves 802, hotness 0.02" in lines[first + 2]
    _, out, err = run("patch", root, "--profile", profile, "--hot", "1")
    assert "drivers/a.c" not in out
    assert "best first, by share of samples (" in err
    assert "inlined(): 1 rewrite, saves 172, at most 9.50% of samples" in err
    assert "3 findings below 1% omitted" in err


def test_a_single_rewrite_needs_no_order(run: Run, root: Path) -> None:
    _, _, err = run("patch", root / "drivers/a.c")
    assert "best first" not in err


def test_why_prints_the_share(run: Run, root: Path, profile: Path) -> None:
    place = f"{root}/drivers/b.c:3"
    _, out, _ = run("why", place, "--profile", profile, "--hot", "90")
    assert "Profile: warm() is 0.25% of samples." in out
    _, out, _ = run("why", place)
    assert "profile" not in out


def test_conflicting_options(run: Run, root: Path, profile: Path) -> None:
    code, _, err = run("lint", root, "--hot", "1")
    assert code == 2 and "name it with --profile" in err
    for wrong in ("0", "101", "x", "-1", "nan"):
        code, _, err = run("lint", root, "--profile", profile, f"--hot={wrong}")
        assert code == 2 and "is not a percentage" in err and err.count("\n") == 1
    code, out, err = run("lint", root, "--profile", root / "drivers/a.c")
    assert (code, out) == (2, "")
    assert "this is not a profile: write it with" in err and err.count("\n") == 1


def test_run_rules_are_not_decided_twice(
    run: Run, root: Path, profile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("lint", root)
    calls = []
    seen = replace(
        implementation.IMPLEMENTATION, decide=lambda *a: calls.append(a) or ([], [])
    )
    monkeypatch.setattr(implementation, "IMPLEMENTATION", seen)
    _, out, _ = run("lint", root, "--profile", profile)
    assert functions(out, root)[0] == "inlined"
    assert calls == []
