# SPDX-License-Identifier: GPL-2.0
"""The order of findings: by profile, by estimate, and by location."""

import re
from pathlib import Path

import pytest
from small_kernel import HEAD, function, puts, system_call

pytestmark = pytest.mark.whole


def reads(name, number=2, static=False, calls=""):
    """A function with this many accesses in a sequence."""
    return function(name, puts(number), static, calls, "\n")


@pytest.fixture
def root(small_kernel, monkeypatch):
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
def profile(tmp_path):
    path = tmp_path / "report.txt"
    path.write_text(
        "# Overhead  Command  Symbol\n"
        " 30.00%  a  [k] hot\n  9.50%  a  [k] caller\n  0.25%  a  [k] warm.isra.0\n"
    )
    return path


def functions(out):
    """Map the locations of printed findings to functions."""
    found = []
    for line in out.splitlines():
        file, number, *_ = line.split(":")
        before = "\n".join(Path(file).read_text().split("\n")[: int(number)])
        found.append(re.findall(r"^(?:static )?int (\w+)\(", before, re.M)[-1])
    return found


def test_a_profile_orders_by_samples(run, root, profile):
    _, out, err = run("lint", root, "--profile", profile)
    assert functions(out) == ["inlined", "caller", "warm"]
    omitted = "2 findings in functions that are not in the profile omitted: --all lists"
    assert omitted in err
    _, out, _ = run("lint", root, "--all", "--profile", profile)
    assert functions(out) == ["inlined", "caller", "warm", "filldir64", "rare"]
    assert [line.rpartition(", ")[2] for line in out.splitlines()] == [
        *("at most 9.50% of samples]", "9.50% of samples]", "0.25% of samples]"),
        *["not in the profile]"] * 2,
    ]


def test_a_profile_of_something_else(run, root, profile):
    profile.write_text(
        " 30.00%  a  [k] vm_fault_trap\n  9.50%  a  [k] uma_zalloc_arg\n"
    )
    none = "has the name of one of the 2 functions of the profile: name a profile of this kernel"
    for options in (["--all"], ["--hot", "1"]):
        code, out, err = run("lint", root, "--profile", profile, *options)
        assert (code, out) == (2, "") and err.splitlines()[-1].endswith(none)
    # One name is enough, though no finding is in its function.
    (root / "fs/other.c").write_text("int uma_zalloc_arg;\n")
    code, out, err = run("lint", root, "--profile", profile)
    assert (code, out) == (0, "") and "not in the profile omitted" in err


def test_rank_orders_by_estimate(run, root):
    _, out, err = run("lint", root, "--rank")
    assert functions(out) == ["filldir64", "rare", "warm", "inlined", "caller"]
    assert "the order is an estimate" in err and "--profile" in err


def test_patch_names_the_best_first(run, root, profile):
    code, out, err = run("patch", root)
    files = [line[6:] for line in out.splitlines() if line.startswith("+++ ")]
    assert (code, files) == (0, ["drivers/a.c", "drivers/b.c", "fs/readdir.c"])
    best = err.partition("best first, by cycles")[2].splitlines()[1]
    assert "filldir64(): 1 rewrite, saves ~51 cycles" in best
    _, out, err = run("patch", root, "--profile", profile, "--hot", "1")
    assert "drivers/a.c" not in out and "3 findings below 1% omitted" in err
    best = err.partition("best first, by share of samples:")[2]
    share = r"inlined\(\): 1 rewrite, saves ~\d+ cycles, at most 9.50% of samples"
    assert re.search(share, best)
