# SPDX-License-Identifier: GPL-2.0
"""Which rewrites are offered: by the cycles that they save, and by how hot their function is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotcocci.findings import Finding, Saves
from hotcocci.rules.offer import NO_GAIN, SMALL_GAIN, is_hot, refusals, refuse, refused

COLD = Finding(
    "UA101", "kernel/a.c", 1, 2, "f", "run", 3, "p", "read", "rewrite", "safe", None
)
LISTED = replace(COLD, file="fs/readdir.c", function="filldir64")
NOTHING, DEARER = Saves(-4, 0), Saves(-4, 30, ("x86-64",))
SMALL, SOME, MUCH = Saves(3, 8), Saves(8, 206), Saves(10, 206)


def reason(saves: Saves | None, finding: Finding, churn: bool = False) -> str | None:
    refusal = refused(saves, [finding], churn)
    return refusal and refusal.reason


@pytest.mark.parametrize(
    ("saves", "cold", "asked", "hot"),
    [
        (NOTHING, NO_GAIN, NO_GAIN, NO_GAIN),
        (DEARER, NO_GAIN, NO_GAIN, NO_GAIN),
        (SMALL, SMALL_GAIN, None, None),
        (SOME, SMALL_GAIN, None, None),
        (None, SMALL_GAIN, None, None),
        (MUCH, None, None, None),
    ],
)
def test_the_decision(
    saves: Saves | None, cold: str | None, asked: str | None, hot: str | None
) -> None:
    assert reason(saves, COLD) == cold
    assert reason(saves, COLD, churn=True) == asked
    assert reason(saves, LISTED) == hot


@pytest.mark.parametrize(
    ("file", "function", "least"),
    [
        ("kernel/a.c", "f", 10),
        ("kernel/a.c", "f_query", 50),
        ("drivers/a.c", "f", 50),
        ("fs/a_ioctl.c", "f", 50),
        ("fs/a_ioctl.c", "f_compat", 200),
        ("drivers/staging/a.c", "f", 200),
        ("kernel/signal.c", "sigaction", 200),
    ],
)
def test_what_runs_seldom_has_to_save_more(
    file: str, function: str, least: float
) -> None:
    found = replace(COLD, file=file, function=function)
    assert reason(Saves(least, 900), found) is None
    assert reason(Saves(least - 1, 900), found) == SMALL_GAIN


@pytest.mark.parametrize("saves", [NOTHING, DEARER])
def test_what_saves_nothing_can_be_asked_for(saves: Saves) -> None:
    assert refused(saves, [LISTED], False, allow_no_gain=True) is None
    small = refused(saves, [COLD], False, allow_no_gain=True)
    assert small and small.reason == SMALL_GAIN


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("samples/vfio-mdev/mtty.c", SMALL_GAIN),
        ("drivers/firmware/efi/test/efi_test.c", SMALL_GAIN),
        ("tools/testing/selftests/a.c", SMALL_GAIN),
        ("kernel/test.c", None),
    ],
)
def test_nobody_waits_for_a_test(file: str, why: str | None) -> None:
    found = replace(COLD, file=file)
    assert reason(MUCH, found) == why
    assert reason(MUCH, found, churn=True) is None
    assert reason(MUCH, replace(found, share=0.01)) is None


def test_a_profile_makes_a_function_hot() -> None:
    assert not is_hot(COLD)
    assert is_hot(replace(COLD, share=0.01))
    assert is_hot(replace(COLD, share_at_most=3.0))
    # The lists name functions of files; a profile that lacks them does not make them cold.
    assert is_hot(LISTED)
    assert not is_hot(replace(LISTED, file="drivers/a.c"))
    assert is_hot(replace(COLD, share=0.01))
    assert not is_hot(replace(COLD, function=None))


@pytest.mark.parametrize(
    ("other", "goes_along"),
    [
        (replace(COLD, saves=SMALL), True),
        (replace(COLD, saves=SMALL, tier="prepared"), True),
        (replace(COLD, saves=Saves(-1, 30)), False),
        (replace(COLD, saves=NOTHING), False),
        (replace(COLD, saves=None), False),
        (replace(COLD, saves=SMALL, function="g"), False),
        (replace(COLD, saves=SMALL, rule="UA201"), False),
    ],
)
def test_a_function_changes_as_a_whole(other: Finding, goes_along: bool) -> None:
    worth = replace(COLD, line=9, saves=MUCH)
    assert list(refusals([other, worth], False)) == ([] if goes_along else [other])
    # Whoever asks for safe rewrites is not shown the lesser half of a function.
    prepared = replace(worth, tier="prepared")
    alone = goes_along and other.tier == "safe"
    assert (other in refusals([other, prepared], False)) == (alone or not goes_along)


def test_one_hot_function_is_enough() -> None:
    assert refused(SMALL, [COLD, LISTED], False) is None


def test_a_scope_is_worth_it_for_no_cycles() -> None:
    same = Saves(0, 0)
    assert reason(same, LISTED) == NO_GAIN
    assert reason(same, replace(LISTED, rule="UA103")) is None
    assert reason(same, replace(COLD, rule="UA103")) == SMALL_GAIN
    assert reason(Saves(-4, -1), replace(LISTED, rule="UA103")) == NO_GAIN


def test_the_message_says_what_is_saved() -> None:
    refusal = refused(SMALL, [COLD], False)
    assert refusal is not None
    found = refuse(COLD, refusal)
    said = "run; saves 3 to 8 cycles in a function that is not hot"
    assert (found.message, found.verdict, found.tier) == (said, "report", None)
    assert found.reason == SMALL_GAIN


def test_those_that_look_alike_go_along_with_a_hot_one() -> None:
    hot = replace(LISTED, rule="LD301", saves=SOME)
    cold = replace(hot, function="g", saves=SMALL)
    assert set(refusals([cold], False)) == {cold}
    assert not refusals([hot, cold], False)
    runs = [replace(each, rule="UA101") for each in (hot, cold)]
    assert set(refusals(runs, False)) == {runs[1]}
    unsure = replace(cold, saves=Saves(-1, 8))
    assert set(refusals([hot, unsure], False)) == {unsure}
