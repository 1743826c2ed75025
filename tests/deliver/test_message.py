# SPDX-License-Identifier: GPL-2.0
"""The message of a patch: what, why, figures, testing, and nothing invented."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hotcocci.deliver.choose import Part, Patch, rewrite_id
from hotcocci.deliver.message import message, paragraphs, words_of
from hotcocci.deliver.table import is_gain, table, totals
from hotcocci.findings import (
    Check,
    Cost,
    Count,
    Cycles,
    Execution,
    Finding,
    Gain,
    Proof,
    Rewrite,
    Saves,
)
from hotcocci.rules.rulebook import REWRITE_RULES

LONG = "snd_pcm_ioctl_sync_ptr_compat_with_a_name"


def finding(rule: str = "UA101", function: str = "f", line: int = 2) -> Finding:
    place = ("a.c", line, line + 1, function, "run", 2, "p", "read")
    return Finding(rule, *place, "rewrite", "safe", None)


def gain(function: str, before: int, after: int, target: str = "x86-64") -> Gain:
    old = Count(before, 9, 18, 0, 5)
    new = Count(after, 0, 2, 1, 6)
    return Gain(target, "a.c", function, Cost(old, old, 9), Cost(new, new, 9))


def patch(proof: Proof, *rewrites: Rewrite) -> Patch:
    part = Part("a.c", "one\ntwo\n three\n", "", (), rewrites, proof=proof)
    return Patch("SOUND", "UA101", (part,))


def test_a_table_is_narrow_despite_long_names() -> None:
    lines = table([gain("f", 80, 13), gain(LONG, 1180, 1013)])
    assert max(map(len, lines)) <= 75
    assert lines[0].split() == [
        "x86-64",
        "instructions",
        "opens/closes",
        "calls",
        "fences",
        # They got worse.
        "loads",
    ]
    assert lines[1].split() == [f"{LONG}()"]
    assert lines[2].split() == "1180 -> 1013 18 -> 2 9 -> 0 0 -> 1 5 -> 6".split()
    assert (
        lines[-1].split()
        == "total 1260 -> 1026 36 -> 4 18 -> 0 0 -> 2 10 -> 12".split()
    )


def test_loads_bytes_and_cycles_have_a_table_of_their_own_if_all_are_too_wide() -> None:
    wide = gain(LONG, 1180, 1013)
    cycles = (Cycles("A", 900, 100), Cycles("B", 200, 110))
    wide = replace(
        wide,
        after=replace(wide.after, size=7),
        cycles=cycles,
        saves=Saves(90, 800, 450),
    )
    lines = table([wide])
    assert max(map(len, lines)) <= 75
    parts = "\n".join(lines).split("\n\n")
    heads = [part.split("\n")[0].split() for part in parts]
    assert heads == [
        ["x86-64", "instructions", "opens/closes", "calls", "fences"],
        ["x86-64", "loads", "bytes", "cycles", "saved"],
    ]
    assert (
        parts[1].split("\n")[-1].split() == f"{LONG}() 5 -> 6 9 -> 7 90 to 800".split()
    )


def test_targets_have_tables_of_their_own() -> None:
    gains = [gain("f", 80, 13), gain("f", 60, 20, "arm64")]
    assert [line.split()[0] for line in table(gains) if line] == [
        "x86-64",
        "f()",
        "arm64",
        "f()",
    ]
    assert [line.split()[0] for line in totals(gains)[1:]] == ["x86-64,", "arm64,"]


def test_only_real_testing_is_listed() -> None:
    ran = Execution("x86-64", "a.c", "f", "proven", paths=3)
    not_run = Execution("arm64", "a.c", "f", "not proven", "it sleeps")
    checks = (
        Check("compile x86-64", "skipped", "no rule"),
        Check("compile x86-64 (b.c)", "passed"),
        Check("compile i386", "skipped", "no compiler\nfor it"),
        Check("sparse (b.c)", "passed"),
    )
    written = paragraphs([Proof("a.c", checks, (), (ran, not_run))])
    assert written.pop(0) == (
        "Verdict: proven for all inputs in 1 function, not proven in 1 function (x86-64, arm64)."
    )
    assert written[0] == "Compile-tested for x86-64. No new sparse warnings."
    assert written[1].endswith("equivalent for all inputs in 1 function for x86-64.")
    assert written[2] == (
        "Not tested: compile i386 of a.c (no compiler); comparing f() for arm64 (it sleeps); "
        "running on hardware."
    )


def test_testing_names_the_code_that_was_compared() -> None:
    code = "gcc 12.2.0 for arm64 with defconfig"
    ran = Execution("arm64", "a.c", "f", "proven", compiled=code)
    verdict, what, _ = paragraphs([Proof("a.c", executions=(ran,))])
    assert verdict == f"Verdict: proven for all inputs in 1 function ({code})."
    assert what.endswith(
        f": equivalent for all inputs in 1 function compiled by {code}."
    )


def test_message(small_tree: Callable[..., Path]) -> None:
    tree = small_tree({"scripts/coccinelle/misc/user_access.cocci": ""})
    note = "on a fault x keeps the old value instead of 0"
    rewrite = Rewrite(finding(function="f"), (), "A", "classic", (note,))
    proof = Proof("a.c", (Check("compile x86-64", "passed"),), (gain("f", 80, 13),))
    text = message(patch(proof, rewrite), "ALSA: pcm: ", True, tree)
    lines = text.splitlines()
    assert lines[0] == "ALSA: pcm: Use user access windows in f()"
    assert lines[1] == ""
    assert max(map(len, lines)) <= 75
    assert f"- f(): {note}" in lines
    assert lines[-1] == "Generated by: scripts/coccinelle/misc/user_access.cocci"
    assert "Signed-off-by" not in text
    assert "Fixes:" not in text


def test_message_of_several_rules(small_tree: Callable[..., Path]) -> None:
    rewrites = [
        Rewrite(finding(rule, name), (), "A", "classic")
        for rule, name in (("UA101", "f"), ("UA201", "g"), ("LD301", "h"))
    ]
    text = message(patch(Proof("a.c"), *rewrites), "mm: ", False, small_tree({}))
    assert text.startswith("mm: reduce user access overhead and redundant loads\n")
    assert "Changed functions: f(), g(), h()." in text
    assert text.count("Generated by: hotcocci ") == 3


def test_a_rewrite_is_recognised_when_its_lines_move() -> None:
    moved = finding(line=3)
    one = rewrite_id(
        "int f()\na(x);\n\tb(x);\n", Rewrite(finding(), (), "A", "classic")
    )
    other = rewrite_id(
        "new\nint f()\n  a(x);\nb(x);\n", Rewrite(moved, (), "B", "scoped")
    )
    changed = rewrite_id(
        "int f()\na(y);\n\tb(x);\n", Rewrite(finding(), (), "A", "classic")
    )
    assert one == other
    assert one != changed


def test_every_rewriting_rule_has_a_description() -> None:
    for rule in REWRITE_RULES:
        if rule.tiers:
            (description,) = words_of([Rewrite(finding(rule.code), (), "A", "classic")])
            assert description.title[0].islower() and description.text.endswith(".")


def test_cycles_decide_about_a_gain() -> None:
    # More instructions, fewer cycles; and the other way round.
    pays = replace(gain("f", 13, 80), cycles=(Cycles("A", 50, 20), Cycles("B", 5, 6)))
    costs = replace(gain("f", 80, 13), cycles=(Cycles("A", 20, 21),))
    assert is_gain([pays]) and not is_gain([costs])
    assert is_gain([pays, costs])
