# SPDX-License-Identifier: GPL-2.0
"""Rewrites that save little are offered in hot functions only, by all commands alike."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from small_kernel import HEAD, function, puts, system_call, terminal

pytestmark = pytest.mark.whole

Lint = Callable[..., tuple[int, str, str]]

# Two stores save as little as five cycles on some processors, ten save much on all of them.
SMALL = HEAD + function("f", puts(2))
LARGE = HEAD + function("f", puts(10)) + terminal("f")
HOT = HEAD + function("filldir64", puts(2)) + system_call("filldir64")


@pytest.fixture
def tree(small_kernel) -> Path:
    return small_kernel(
        {"drivers/staging/a.c": SMALL, "kernel/b.c": LARGE, "fs/readdir.c": HOT}
    )


@pytest.fixture
def called(tree, tmp_path, said) -> Lint:
    """Run a command on the tree, or a place in it."""
    common = ["--rule=UA101", f"--cache-dir={tmp_path / 'cache'}"]
    return lambda command, *words, place="": said(
        command, f"{tree}/{place}" if place else tree, *common, *words
    )


def files(out: str) -> list[str]:
    return [found["file"] for found in json.loads(out)["findings"]]


def test_lint_lists_what_is_worth_a_change(called):
    code, out, _ = called("lint", "--format=json")
    assert (code, files(out)) == (1, ["fs/readdir.c", "kernel/b.c"])
    _, out, _ = called("lint", "--format=json", "--all")
    every = {found["file"]: found for found in json.loads(out)["findings"]}
    found = every["drivers/staging/a.c"]
    assert (found["verdict"], found["reason"]) == ("rewrite", None)
    saves = found["saves"]
    assert 0 < saves["least"] < saves["typical"] < saves["most"]
    assert saves["least"] < 10 < saves["most"] and found["band"] == "cold"


def test_patch_leaves_them_out(called):
    _, out, err = called("patch", "--allow-uncompiled")
    assert "+++ b/kernel/b.c" in out and "+++ b/drivers/staging/a.c" not in out
    assert "1 rewrite not offered: too few cycles saved" in err
    _, out, err = called("patch", "--allow-uncompiled", "--churn")
    assert "+++ b/drivers/staging/a.c" in out and "not offered" not in err


def test_why_shows_what_is_not_offered(called):
    code, out, _ = called("why", place="drivers/staging/a.c:5")
    assert code == 0
    assert "Not rewritten: small-gain." in out
    assert "+\tunsafe_put_user(" in out
