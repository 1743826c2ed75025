# SPDX-License-Identifier: GPL-2.0
"""Which rewrites are worth a maintainer's time: by what they save, and how often they run."""

from dataclasses import replace

import pytest

from hotcocci.findings import COLD, NEW, PERHAPS, WORTH, Saves
from hotcocci.pipeline.filtering import ASK_FIRST, IN_DOUBT, is_actionable, why_left
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.offer import (
    NO_GAIN,
    ONE_COPY,
    SMALL_GAIN,
    band,
    band_compiled,
    doubt,
    judged,
    refused,
    too_cold,
)
from hotcocci.tree.touched import Touched
from tests.shared import finding

RARE = finding(file="drivers/a.c", accesses=3, heat=0.02, per="per ioctl")
OFTEN = replace(RARE, heat=2.0, per="per directory entry")
LITTLE, SOME, MUCH = Saves(2, 8, 5), Saves(5, 84, 30), Saves(41, 720, 300)


@pytest.mark.parametrize(
    ("saves", "refusal"),
    [
        (Saves(-9, -2, -4), "saves no cycles on any processor"),
        (Saves(-2, 0, -1), "saves no cycles on any processor"),
        (Saves(-9, 60, 30, ("x86-64",)), "costs cycles on every processor of x86-64"),
        (Saves(-18, 59, 8), None),
        (Saves(0, 1, 0.6), None),
        (None, None),
    ],
)
def test_what_saves_nothing(saves, refusal):
    found = refused(OFTEN, saves)
    assert (found and found.message) == refusal
    assert found is None or found.reason == NO_GAIN


SOUND = replace(OFTEN, per="per copied sound period")
SOUND32 = replace(OFTEN, per="per copied sound period of a 32-bit program")
BINDER = replace(OFTEN, per="per binder transaction")


@pytest.mark.parametrize(
    ("finding", "saves", "expected"),
    [
        (OFTEN, SOME, WORTH),
        (OFTEN, LITTLE, WORTH),
        # Less than anybody can measure
        (OFTEN, Saves(0, 1, 0.6), COLD),
        (OFTEN, Saves(-4, 74, 25), PERHAPS),
        # As it checks the range once more on an architecture without windows
        (OFTEN, Saves(-4, 180, 43), WORTH),
        # get_compat_msghdr() and put_timespec64(): some processor loses more, or less.
        (OFTEN, Saves(-18, 59, 8), COLD),
        (OFTEN, Saves(-4, 61, 16), COLD),
        # Less code, for cycles that are not sure
        (replace(OFTEN, rule="UA103"), Saves(-4, 61, 16), PERHAPS),
        (replace(OFTEN, rule="UA201"), Saves(-4, 61, 16), PERHAPS),
        (replace(OFTEN, rule="UA201", tier="prepared"), Saves(-4, 61, 16), COLD),
        (OFTEN, None, PERHAPS),
        (RARE, MUCH, WORTH),
        # Longer code has to earn each line, where it is known how often it runs.
        (replace(OFTEN, lines=8), SOME, WORTH),
        (replace(RARE, lines=5), MUCH, WORTH),
        (replace(RARE, lines=8), MUCH, COLD),
        (replace(RARE, heat=None, lines=8), MUCH, PERHAPS),
        # Nothing is known to call it, as atomisp_compat_ioctl32() of 5.10.
        (replace(RARE, heat=0.0), MUCH, COLD),
        # 36 cycles are not measured where a period of sound is copied, nor 52 in a binder transaction; 20 are where
        # its position is asked for.
        (replace(OFTEN, per="per sound period"), Saves(15, 70, 20), WORTH),
        (SOUND, Saves(23, 72, 36), COLD),
        (SOUND32, Saves(23, 72, 36), COLD),
        (replace(BINDER, per=f"on some paths {BINDER.per}"), Saves(40, 104, 52), COLD),
        # A round of a loop is not all of it; and simpler code needs no measurement.
        (replace(BINDER, per=f"in a loop {BINDER.per}"), Saves(40, 104, 52), WORTH),
        (replace(BINDER, rule="UA103", lines=-2), Saves(9, 12, 10), WORTH),
        (RARE, Saves(5, 120, 80), PERHAPS),
        (RARE, SOME, COLD),
        (RARE, LITTLE, COLD),
        (RARE, None, COLD),
    ],
)
def test_cycles_times_heat(finding, saves, expected):
    assert band(finding, saves) == expected


def test_nobody_waits_for_a_test():
    for file, expected in (
        ("samples/vfio-mdev/mtty.c", COLD),
        ("drivers/firmware/efi/test/efi_test.c", COLD),
        ("tools/testing/selftests/a.c", COLD),
        ("kernel/test.c", WORTH),
    ):
        found = replace(RARE, file=file)
        assert band(found, MUCH) == expected
        assert band(replace(found, share=0.01), MUCH) == WORTH


def offered(*findings, cold=False):
    """The bands of these findings of a file, or the reasons of those that are not offered."""
    found = judged(findings, cold)
    return [found[each].reason or found[each].band for each in findings]


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (replace(RARE, saves=LITTLE), WORTH),
        (replace(RARE, saves=LITTLE, tier="prepared"), WORTH),
        # A cycle is within what the figures may be wrong by.
        (replace(RARE, saves=Saves(-1, 30, 21)), WORTH),
        (replace(RARE, saves=Saves(-5, 30, 21)), SMALL_GAIN),
        (replace(RARE, saves=Saves(-4, 0, -1)), NO_GAIN),
        (replace(RARE, saves=None), SMALL_GAIN),
        (replace(RARE, saves=LITTLE, function="g"), SMALL_GAIN),
        (replace(RARE, saves=LITTLE, rule="UA201"), SMALL_GAIN),
    ],
)
def test_a_function_changes_as_a_whole(other, expected):
    worth = replace(RARE, line=9, saves=MUCH)
    assert offered(other, worth) == [expected, WORTH]
    # Whoever asks for safe rewrites is not shown the lesser half of a function.
    prepared = replace(worth, tier="prepared")
    alone = expected == WORTH and other.tier == "safe"
    assert offered(other, prepared)[0] == (SMALL_GAIN if alone else expected)


def test_what_runs_seldom_can_be_asked_for():
    cold = replace(RARE, saves=LITTLE)
    assert offered(cold) == [SMALL_GAIN]
    assert offered(cold, cold=True) == [COLD]
    nothing = replace(RARE, saves=Saves(-4, 0, -1))
    assert offered(nothing, cold=True) == [NO_GAIN]
    assert judged([nothing], True, allow_no_gain=True)[nothing].band == COLD


@pytest.mark.parametrize(
    ("written", "saves", "expected"),
    [
        ((1, 2, 3), LITTLE, NEW),
        # Half of it is old code, which nobody would change for this.
        ((2, 3), LITTLE, SMALL_GAIN),
        ((), LITTLE, SMALL_GAIN),
        ((1, 2), Saves(5, 120, 80), PERHAPS),
        ((1, 2), Saves(-4, 0, -1), NO_GAIN),
        # What may cost as much as it saves, or is not known to save anything
        ((1, 2), Saves(-18, 59, 8), SMALL_GAIN),
        ((1, 2), None, SMALL_GAIN),
    ],
)
def test_new_code_costs_its_author_nothing(written, saves, expected):
    found = replace(RARE, saves=saves)
    offered = judged([found], False, change=Touched(written))[found]
    assert (offered.reason or offered.band) == expected


@pytest.mark.parametrize(
    ("direction", "record", "said"),
    [
        ("read", "struct info", "use one copy_from_user() into a struct info"),
        ("write", "struct info", "use one copy_to_user() of a zeroed struct info"),
        ("read", "all[]", "use one copy_from_user() into all"),
        ("write", "ring[i][]", "use one copy_to_user() of ring[i]"),
    ],
)
def test_one_copy_is_simpler_where_code_runs_seldom(direction, record, said):
    found = replace(RARE, saves=MUCH, record=record, direction=direction)
    found = replace(found, message="3 runs; use one window (note)")
    both = Touched((1, 2))
    offered = judged([found], False, change=both)[found]
    assert (offered.verdict, offered.reason, offered.band) == ("report", ONE_COPY, NEW)
    assert offered.message == f"3 runs; {said}"
    # Old code, and what is half old, stay as they are.
    for change in (None, Touched((2,))):
        assert judged([found], False, change=change)[found].band == WORTH
    hot = replace(found, heat=1.0)
    assert judged([hot], False, change=both)[hot].band == WORTH
    # Where there can be no window, one copy is better in hot code, too.
    stays = replace(hot, verdict="report", tier=None, reason="side-effect-argument")
    assert judged([stays], False, change=both)[stays].reason == ONE_COPY
    assert judged([stays], False) == {}


@pytest.mark.parametrize(
    ("finding", "saves", "said"),
    [
        (RARE, SOME, "saves ~30 cycles where it runs seldom"),
        (RARE, None, "what it saves is not known, and it runs seldom"),
        # In a hot function, it is not for want of heat.
        (OFTEN, Saves(0, 3, 2.4), "saves only ~2 cycles"),
        (OFTEN, Saves(-18, 59, 8), "may cost as much as it saves: -18 to 59 cycles"),
        # No sign before a zero.
        (OFTEN, Saves(-0.3, 9, 0.2), "may cost as much as it saves: 0 to 9 cycles"),
        (OFTEN, Saves(-4, 61, 16), "saves few cycles, and costs some processors: -4 to 61 cycles"),
        (SOUND, Saves(23, 72, 36), "saves ~36 cycles of the ~5,000 per copied sound period"),
        (replace(RARE, lines=8), MUCH, "saves ~300 cycles for 8 lines more"),
        (replace(OFTEN, rule="LD301"), SOME, "no profile has the function"),
        (replace(OFTEN, file="samples/a.c"), SOME, "it is in a sample or a test"),
    ],
)  # fmt: skip
def test_a_cold_rewrite_says_why(finding, saves, said):
    assert too_cold(finding, saves).message.startswith(said)


@pytest.mark.parametrize(
    ("finding", "saves", "said"),
    [
        (OFTEN, None, ": what it saves is not known"),
        (OFTEN, Saves(-6, 180, 40), ": costs some processor 6 cycles"),
        (RARE, Saves(-2, 180, 90), " if it runs often"),
        (replace(OFTEN, lines=50), Saves(20, 180, 40), ""),
    ],
)
def test_what_is_perhaps_worth_it_says_when(finding, saves, said):
    assert doubt(replace(finding, saves=saves)) == said


SURE = replace(RARE, heat=0.03, saves=Saves(5, 120, 80), band=PERHAPS)
UNSURE = replace(SURE, lines=2)
SIMPLE = replace(SURE, heat=0.3, saves=Saves(9, 12, 10))


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (SURE, ""),
        (UNSURE, IN_DOUBT),
        (replace(UNSURE, counted=True), ""),
        (replace(UNSURE, tier="manual"), ASK_FIRST),
        (replace(UNSURE, heat=None), ""),
        (replace(UNSURE, saves=None), ""),
        (replace(UNSURE, band=WORTH), ""),
        (replace(SIMPLE, rule="UA103"), IN_DOUBT),
        (replace(SIMPLE, rule="UA201"), ""),
        # It goes along with others.
        (replace(SURE, lines=9), ""),
    ],
)
def test_before_it_is_compiled_a_gain_is_sure_or_not_listed(finding, expected):
    assert why_left(finding) == expected
    assert (": only compiling it tells (patch)" == doubt(finding)) == (
        expected == IN_DOUBT or finding.tier == "manual"
    )
    asked = Settings(show="cold" if expected == IN_DOUBT else "perhaps")
    assert is_actionable(finding, asked) == (expected != ASK_FIRST)


def test_those_that_look_alike_go_along():
    hot = replace(OFTEN, rule="UA201", saves=SOME)
    cold = replace(hot, heat=0.02, function="g", saves=LITTLE)
    assert offered(cold) == [SMALL_GAIN]
    assert offered(hot, cold) == [WORTH, WORTH]
    runs = [replace(each, rule="UA101") for each in (hot, cold)]
    assert offered(*runs) == [WORTH, SMALL_GAIN]


@pytest.mark.parametrize(
    ("changes", "along"),
    [
        ({"function": "x32_rt_sigreturn"}, True),
        ({"function": "rt_sigreturn_compat"}, True),
        ({"function": "rt_sigsuspend"}, False),
        ({"function": None, "line": 64}, False),
        ({"function": "x32_rt_sigreturn", "base": "q"}, False),
        ({"function": "x32_rt_sigreturn", "accesses": 4}, False),
        ({"function": "x32_rt_sigreturn", "direction": "write"}, False),
    ],
)
def test_the_same_for_another_kind_of_program_goes_along(changes, along):
    hot = replace(OFTEN, function="rt_sigreturn", saves=SOME)
    cold = replace(hot, **{"heat": 0.002, "saves": LITTLE, **changes})
    assert offered(hot, cold) == [WORTH, WORTH if along else SMALL_GAIN]


def test_what_goes_along_stays_in_its_band_when_it_is_compiled():
    cold = replace(OFTEN, heat=0.002, saves=LITTLE, band=WORTH)
    for compiled, expected in (LITTLE, WORTH), (SOME, WORTH), (Saves(-6, 9, 4), COLD):
        assert band_compiled(cold, compiled) == expected
        assert band_compiled(replace(cold, band=None), compiled) == COLD
