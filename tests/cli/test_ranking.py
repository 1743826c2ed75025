# SPDX-License-Identifier: GPL-2.0
"""The order of findings: by profile, by estimate, and by location."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from small_kernel import HEAD, function, puts, system_call

pytestmark = pytest.mark.whole

Run = Callable[..., tuple[int, str, str]]


def reads(name: str, number: int = 2, static: bool = False, calls: str = "") -> str:
    """A function with this many accesses in a sequence."""
    return function(name, puts(number), static, calls, "\n")


@pytest.fixture
def ranked(run, capsys) -> Run:
    """Run a command for sequences of two or more accesses; returns code, output and messages."""

    def start(*arguments: object) -> tuple[int, str, str]:
        code = run(*arguments, "--jobs", "1")
        return code, *capsys.readouterr()

    return start


@pytest.fixture
def root(small_kernel, monkeypatch) -> Path:
    inlined = reads("inlined", static=True) + reads("caller", calls="inlined")
    place = small_kernel(
        {
            "drivers/a.c": HEAD + reads("rare", 9),
            "drivers/b.c": HEAD + reads("warm") + inlined,
            "fs/readdir.c": HEAD + reads("filldir64", 3) + system_call("filldir64"),
        }
    )
    # Paths are relative, so no line is folded.
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def profile(tmp_path) -> Path:
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
        found.append(
            re.findall(r"^(?:static )?int (\w+)\(", "\n".join(before), re.M)[-1]
        )
    return found


def test_a_profile_orders_by_samples(ranked, root, profile):
    _, out, err = ranked("lint", root, "--profile", profile)
    assert functions(out, root) == ["inlined", "caller", "warm"]
    omitted = "2 findings in functions that are not in the profile omitted: --all lists"
    assert omitted in err
    _, out, _ = ranked("lint", root, "--all", "--profile", profile)
    assert functions(out, root) == ["inlined", "caller", "warm", "filldir64", "rare"]
    assert [line.rpartition(", ")[2] for line in out.splitlines()] == [
        "at most 9.50% of samples]",
        "9.50% of samples]",
        "0.25% of samples]",
        "not in the profile]",
        "not in the profile]",
    ]


def test_a_profile_of_something_else(ranked, root, profile):
    profile.write_text(
        " 30.00%  a  [k] vm_fault_trap\n  9.50%  a  [k] uma_zalloc_arg\n"
    )
    for options in (["--all"], ["--hot", "1"]):
        code, out, err = ranked("lint", root, "--profile", profile, *options)
        assert (code, out) == (2, "")
        assert err.splitlines()[-1].endswith(
            "has the name of one of the 2 functions of the profile: name a profile of this kernel"
        )
    # One name is enough, though no finding is in its function.
    (root / "fs/other.c").write_text("int uma_zalloc_arg;\n")
    code, out, err = ranked("lint", root, "--profile", profile)
    assert (code, out) == (0, "") and "not in the profile omitted" in err


def test_rank_orders_by_estimate(ranked, root):
    _, out, err = ranked("lint", root, "--rank")
    assert functions(out, root) == ["filldir64", "rare", "warm", "inlined", "caller"]
    assert "the order is an estimate" in err and "--profile" in err


def test_patch_names_the_best_first(ranked, root, profile):
    code, out, err = ranked("patch", root)
    assert code == 0
    assert [line[6:] for line in out.splitlines() if line.startswith("+++ ")] == [
        "drivers/a.c",
        "drivers/b.c",
        "fs/readdir.c",
    ]
    lines = err.splitlines()
    first = next(i for i, line in enumerate(lines) if "best first, by cycles" in line)
    assert "filldir64(): 1 rewrite, saves ~51 cycles" in lines[first + 1]
    _, out, err = ranked("patch", root, "--profile", profile, "--hot", "1")
    assert "drivers/a.c" not in out
    assert "best first, by share of samples:" in err
    assert re.search(
        r"inlined\(\): 1 rewrite, saves ~\d+ cycles, at most 9.50% of samples", err
    )
    assert "3 findings below 1% omitted" in err
