# SPDX-License-Identifier: GPL-2.0
"""The model of cycles: its data, and what it makes of counts."""

import re

import pytest

from hotcocci.findings import Cost, Count, Gain
from hotcocci.machine.costs import PROCESSORS, cycles, modelled, processors
from hotcocci.saves import WAIT, of_gains, saves
from hotcocci.tree.targets import KERNELS, NAMES

WHOLE = Count(100, 9, 9, 9)
BY_NAME = {each.name: each for each in processors()}
ZEN3 = BY_NAME["Zen 3"]


@pytest.mark.parametrize("processor", processors(), ids=lambda each: each.name)
def test_each_figure_can_be(processor):
    # Counted code may be skipped by a processor.
    assert processor.rate > 0 <= min(processor.fence, processor.call, processor.thunk)
    lengths = [most for most, _ in processor.copies]
    assert lengths == sorted(lengths)
    assert set(processor.targets) <= {*NAMES}


@pytest.mark.parametrize("file", PROCESSORS.glob("*.toml"), ids=lambda each: each.stem)
def test_each_figure_has_a_source(file):
    figures = "rate|open|close|fence|call|thunk|copies"
    lines = re.findall(rf"^(?:{figures}) = \S.*$", file.read_text("utf-8"), re.M)
    assert len(lines) == 7 and all(re.search(r"[\d\]] # \w", line) for line in lines)


@pytest.mark.parametrize("target", [kernel.name for kernel in KERNELS])
def test_each_kernel_has_a_processor(target):
    path = Cost(Count(10, 0, 0, 0), WHOLE, 1)
    assert modelled(path, path, target)


def test_all_that_is_dear_counts():
    plain = cycles(Count(30, 0, 0, 0), ZEN3)
    assert plain == pytest.approx(30 / ZEN3.rate)
    for more in (
        Count(30, 1, 0, 0),
        Count(30, 0, 1, 0),
        Count(30, 0, 0, 1),
        Count(30, 0, 0, 0, copies=1),
        Count(30, 0, 0, 0, returns=1),
    ):
        assert cycles(more, ZEN3) > plain
    # Loads are instructions; their latency is not modelled.
    assert cycles(Count(30, 0, 0, 0, 9), ZEN3) == plain


def test_a_window_for_nine_stores_saves_on_each_processor():
    old = Cost(Count(80, 9, 18, 0, returns=9), WHOLE, 1)
    new = Cost(Count(13, 0, 2, 0), WHOLE, 1)
    for target in ("x86-64", "powerpc-8xx", "powerpc-book3s64"):
        found = saves(modelled(old, new, target))
        assert found is not None and 50 < found.least <= found.most


def test_rates_replace_the_usual_one_on_both_sides():
    path = Cost(Count(30, 0, 0, 0), WHOLE, 1)

    def zen3(*rates):
        found = modelled(path, path, "x86-64", {"Zen 3": (rates[0], rates[1])})
        return next((c.before, c.after) for c in found if c.processor == "Zen 3")

    assert zen3(2.0, 1.5) == (15.0, 20.0)
    # The usual rate is the limit, and is taken for both if one is unknown.
    assert zen3(9.0, 9.0) == zen3(None, 1.5) == (10.0, 10.0)


@pytest.mark.parametrize(
    ("target", "fences", "waits"),
    [("x86-64", 1, WAIT), ("x86-64", 0, 0.0), ("arm64", 1, 0.0)],
)
def test_another_lfence_may_wait_for_loads(target, fences, waits):
    old = Cost(Count(60, 2, 4, 0), WHOLE, 1)
    new = Cost(Count(30, 0, 2, fences), WHOLE, 1)
    taken = modelled(old, new, target)
    found = of_gains([Gain(target, "a.c", "f", old, new, cycles=taken)])
    plain = saves(taken)
    assert found and plain and found.least == plain.least - waits
    assert (found.most, found.typical) == (plain.most, plain.typical)
