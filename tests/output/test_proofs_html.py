# SPDX-License-Identifier: GPL-2.0
"""The HTML page of proofs: totals and details."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from selenium.webdriver.common.by import By

from hotcocci.findings import Check, Cost, Count, Execution, Gain, Proof
from hotcocci.output import html, proofs
from hotcocci.output.html import saved
from hotcocci.rewrite import diff

FILE = "fs/a.c"
EXECUTION = Execution(
    "x86-64",
    FILE,
    "f",
    "proven",
    permitted=("<zeroed> \u2264 values",),
    compiled="gcc 12.2.0 for x86-64 with allyesconfig",
)
WRONG = Execution("arm64", FILE, "f", "different", "see", traces=("old | new",))
CHANGE = diff.unified(FILE, "a < b\n" + "same\n" * 9, "a > b\n" + "same\n" * 9)


def cost(instructions: int | None) -> Cost:
    whole = Count(90, 1, 2, 0)
    path = None if instructions is None else replace(whole, instructions=instructions)
    return Cost(path, whole, 360)


def gain(target: str, before: int | None, after: int | None) -> Gain:
    return Gain(target, FILE, "f", cost(before), cost(after))


PROOF = Proof(
    FILE,
    (Check("compile x86-64", "passed"), Check("sparse", "failed", "a\n& b")),
    (gain("x86-64", 80, 20), gain("x86-64", 20, 5), gain("x86-64", None, 5)),
    (EXECUTION, WRONG),
)


def test_instructions_are_summed_by_target() -> None:
    more = gain("arm64", 10, 12)
    first, second = saved([*PROOF.gains, more])
    assert (first.target, first.before, first.after) == ("x86-64", 100, 25)
    assert (first.functions, first.unknown, first.percent, first.bar) == (2, 1, -75, 25)
    assert (second.percent, second.bar) == (20, 100)
    (unknown,) = saved([gain("arm64", None, None)])
    assert (unknown.functions, unknown.unknown, unknown.percent) == (0, 1, 0)


def test_the_page_shows_all_of_a_proof(
    found: Any, opened: Callable[[str], Any]
) -> None:
    browser = opened(html.proofs_page(found.tree, [PROOF], {FILE: CHANGE}))
    totals = browser.find_element(By.CLASS_NAME, "totals").text.split("\n")
    shown = dict(zip(totals[::2], totals[1::2], strict=True))
    assert shown["files"] == "1" and shown["NOT EQUIVALENT"] == "1"
    (bar,) = browser.find_elements(By.CSS_SELECTOR, "#saved li")
    assert bar.text == "x86-64 100 → 25 (-75%) in 2 functions; path unknown in 1 more"
    whole, part = (
        bar.find_element(By.CSS_SELECTOR, s).size["width"] for s in (".bar", ".part")
    )
    assert abs(part / whole - 0.25) < 0.01
    assert browser.find_elements(By.CLASS_NAME, "worse") == []
    summary = browser.find_element(By.CSS_SELECTOR, "details summary")
    assert summary.text.endswith("1 NOT EQUIVALENT, 1 failed check")
    summary.click()
    details = browser.find_element(By.CSS_SELECTOR, "details").text
    assert (
        "f x86-64 equivalent for all inputs but for what is permitted, as compiled by gcc"
        in details
    )
    assert "permitted: <zeroed> \u2264 values" in details
    assert "old | new" in details
    assert "sparse: failed: a\n& b" in details
    assert browser.find_element(By.CSS_SELECTOR, "pre .added").text == "+a > b"
    assert browser.find_element(By.CSS_SELECTOR, "pre .removed").text == "-a < b"


def test_more_instructions_are_shown_as_such(found: Any) -> None:
    worse = replace(PROOF, gains=(gain("x86-64", 10, 12),))
    document = html.proofs_page(found.tree, [worse], {FILE: CHANGE})
    assert '<span class="worse" style="width: 100.0%">' in document


def test_the_proof_of_one_function() -> None:
    other = replace(EXECUTION, function="g", verdict="not proven")
    both = replace(PROOF, executions=(EXECUTION, other))
    assert proofs.of_function(both, "g").executions == (other,)
    assert proofs.worst(proofs.of_function(both, "g")) == "not proven"
    # The function was inlined: the proof of its unit applies.
    assert proofs.of_function(both, "inlined") == both
    assert proofs.worst(both) == "not proven"
    assert proofs.worst(proofs.of_function(both, "f")) == "proven"
    assert proofs.worst(replace(PROOF, executions=())) == "not proven"
