# SPDX-License-Identifier: GPL-2.0
"""Text output for people, its tables and summaries, and the JSON object for programs."""

import json
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path

import jsonschema

from hotcocci.findings import (
    NOT_PROVEN,
    Check,
    Cost,
    Count,
    Cycles,
    Execution,
    Finding,
    Gain,
    Line,
    Proof,
    Rewrite,
    Saves,
    Skip,
    violated,
)
from hotcocci.output import json as json_output
from hotcocci.output import proofs as proofs_output
from hotcocci.output import text
from hotcocci.output.text import best_first, not_offered
from hotcocci.pipeline.changes import Gated, Rewritten
from hotcocci.rules.offer import ONE_COPY, SMALL_GAIN
from hotcocci.tree.kernel import Features, Tree
from tests.shared import finding

SCHEMA, PROOFS = (
    json.loads(Path(json_output.__file__).with_name(name).read_text("utf-8"))
    for name in ("findings.schema.json", "proofs.schema.json")
)
REWRITTEN = finding(file="fs/a.c", line=3, message="3 reads", accesses=3)
REPORTED = finding(
    rule="UA102", file="fs/b.c", line=9, function=None, message="a loop", accesses=None,
    base=None, direction=None, verdict="report", tier=None, reason="why-not",
)  # fmt: skip
SKIPPED = Skip("fs/c.c", "took too long")


def test_a_line_has_at_most_160_columns():
    long = replace(REWRITTEN, message="3 reads of " + "a reason, " * 40)
    line = text.line(long)
    assert len(line) <= 160 and line.endswith("a … [rewrite/safe]")
    # What to use instead goes first.
    advised = replace(REWRITTEN, message="3 reads; use " + "words, " * 40)
    assert text.line(advised).endswith(" 3 reads; … [rewrite/safe]")
    # Then the function's name, as the line says where it is.
    named = replace(advised, message=f"3 reads in {'f' * 130}(); use a window")
    assert text.line(named).endswith(" 3 reads; … [rewrite/safe]")
    # A long path, and what a person decides, go on in the next line.
    deep = text.line(replace(long, file="a/" * 70 + "a.c")).split("\n")
    folded = text.line(replace(long, tier="manual")).split("\n")
    for lines in (deep, folded):
        assert len(lines) > 1 and max(map(len, lines)) <= 160
        assert all(each.startswith("    ") for each in lines[1:])
    assert " ".join(map(str.strip, folded)).count("a reason,") == 40
    # So does the way to a tree that is elsewhere.
    far = text.line(long, lambda file: f"/{'home/' * 24}{file}").split("\n")
    assert len(far) > 1 and max(map(len, far)) <= 160
    exact = replace(REWRITTEN, message="x" * 129)
    assert len(text.line(exact)) == 160 and "…" not in text.line(exact)


def test_why_something_is_left_alone_stays_in_its_line():
    said = f"3 reads; use one user access window ({'note, ' * 30}); saves too little"
    left = replace(REPORTED, message=said)
    assert (
        text.line(left) == "fs/b.c:9: UA102 3 reads; saves too little [report/why-not]"
    )


def test_a_refusal_is_said_in_whole():
    said = f"3 reads; use a window; {'words of it, ' * 40}end"
    lines = text.refused(replace(REPORTED, message=said))
    assert lines[0].startswith("fs/b.c:9: UA102 3 reads; use a window; words of it,")
    assert max(map(len, lines)) <= 160 and all(x[:4] == "    " for x in lines[1:])
    assert " ".join(x.strip() for x in lines).endswith("end [report/why-not]")
    assert "…" not in " ".join(lines)


def test_summary():
    left = Counter({"too cold": 1200, "ask first": 2})
    findings = [replace(REWRITTEN, band="worth it"), REPORTED]
    assert text.summary(findings, [SKIPPED], left) == (
        "2 findings, 1 worth it; 1 file skipped; not shown: 2 ask first, 1,200 too cold"
    )
    assert text.summary([], [], Counter()) == "0 findings"


def test_checks_are_counted_and_skips_have_a_reason():
    one = Proof("a.c", (Check("compile host", "passed"), Check("sparse", "passed")))
    seen = Check("sparse (b.c)", "passed")
    missed = [Check("objtool", "skipped", why) for why in ("b", "none\nmore", "none")]
    proofs = [one, Proof("c.c", (seen, *missed))]
    skipped = "check skipped: objtool 3: none (and 1 other reason)"
    assert text.checks(proofs, False) == ["3 checks passed (names with -v)", skipped]
    named = "3 checks passed: compile host 1, sparse 2"
    assert text.checks(proofs, True) == [named, skipped]
    assert text.checks([], True) == []
    # What system calls take is printed.
    said = "f(): getppid(): 228 -> 220 instructions (-8.0 per call)"
    counted = Check("bench", "passed", said)
    missed = Check("bench", "skipped", "no benchmark reaches g()")
    lines = ["1 check passed: sparse 1", said, missed.detail]
    proofs = [Proof("a.c", (seen, counted)), Proof("b.c", (missed,))]
    assert text.checks(proofs, True) == lines
    assert proofs_output.check_lines(counted) == [f"bench: {said}"]
    assert proofs_output.check_lines(missed) == [f"bench: skipped: {missed.detail}"]


def test_a_profile_adds_the_share_of_the_function():
    def suffix(share, at_most):
        finding = replace(REWRITTEN, share=share, share_at_most=at_most)
        return text.line(finding, profiled=True).partition("[")[2]

    assert suffix(1.284, None) == "rewrite/safe, 1.28% of samples]"
    assert suffix(None, 12.86) == "rewrite/safe, at most 12.86% of samples]"
    assert suffix(None, None) == "rewrite/safe, not in the profile]"


def test_json_is_as_its_schema_says():
    features = Features(True, True, False, False, False, frozenset({"x86", "arm64"}))
    tree = Tree(Path("/k/linux"), features)
    saved = replace(REWRITTEN, saves=Saves(1, 3, 2), band="worth it")
    rows = [saved, REPORTED]
    data = json.loads(json_output.document(tree, rows, [SKIPPED], {saved: "--- a\n"}))
    jsonschema.validate(data, SCHEMA)
    assert data["tree"]["root"] == "/k/linux"
    assert data["tree"]["features"]["gain_arches"] == ["arm64", "x86"]
    names = [field.name for field in fields(Finding)]
    assert [list(each) for each in data["findings"]] == [[*names, "diff"]] * 2
    assert [each["diff"] for each in data["findings"]] == ["--- a\n", None]
    assert data["skipped"] == [{"file": "fs/c.c", "reason": "took too long"}]
    seen = violated("UW03", "a.c", 9, None, "ends another", ("spatch",))
    jsonschema.validate(json.loads(json_output.document(tree, [seen], [], {})), SCHEMA)


def fields_of(schema):
    """Each field that a JSON schema has, at any depth, and what is said of it."""
    if isinstance(schema, list):
        for part in schema:
            yield from fields_of(part)
    elif isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
        yield from fields_of(list(schema.values()))


def test_each_field_is_described():
    found = [*fields_of(SCHEMA), *fields_of(PROOFS)]
    assert len(found) > 60
    assert [name for name, one in found if "description" not in one] == []


def test_proofs_are_as_their_schema_says():
    before = Cost(None, Count(9, 0, 2, 0), 30)
    after = Cost(*[Count(5, 0, 1, 0)] * 2, 20)
    cycles, saves = (Cycles("Zen 3", 9, 5),), Saves(1, 3, 2)
    gain = Gain("x86-64", "fs/a.c", "f", before, after, "size", cycles, saves)
    line = Line("fs/a.c", 3, before=True)
    ran = Execution("x86-64", "fs/a.c", "f", NOT_PROVEN, "unseen", unseen=line)
    checks = (Check("bench", "skipped", "no benchmark reaches f()"),)
    data = json.loads(
        proofs_output.document([Proof("fs/a.c", checks, (gain,), (ran,))])
    )
    jsonschema.validate(data, PROOFS)
    assert data["proofs"][0]["checks"][0]["name"] == "bench"


WHOLE = Count(200, 20, 2, 0)
KNOWN = Gain(
    "powerpc-8xx",
    "a.c",
    "f",
    Cost(Count(80, 0, 18, 0), WHOLE, 800),
    Cost(Count(13, 0, 2, 0), WHOLE, 60),
)
UNKNOWN = Gain("x86-64", "a.c", "longer", Cost(None, WHOLE, 9), Cost(None, WHOLE, 9))


def test_a_line_for_each_target():
    one, other = proofs_output.gains_of_patch([KNOWN, KNOWN, UNKNOWN])
    assert one == (
        "non-faulting path on powerpc-8xx with KUAP, 2 functions: instructions 160 -> 26, "
        "calls 0 -> 0, user access opened or closed: 36 -> 4, fences 0 -> 0, bytes 1600 -> 120"
    )
    assert other.startswith("non-faulting path on x86-64 with SMAP, 0 functions")
    assert other.endswith("; path unknown in 1 more")
    (one,) = proofs_output.gains_of_patch([KNOWN])
    assert ", 1 function: instructions 80" in one
    assert proofs_output.gains_of_patch([]) == []


def test_cycles_are_in_the_line_if_they_are_modelled():
    taken = (Cycles("A", 80.4, 20.0), Cycles("B", 50.0, 30.2))
    known = replace(KNOWN, cycles=taken, saves=Saves(19.8, 60.4, 40.1))
    assert proofs_output.gains_of_patch([known, known])[0].endswith(
        ", cycles saved 40 to 121"
    )


COST = Cost(Count(1, 0, 0, 0), Count(1, 0, 0, 0), 0)


def changed(file, function, saved):
    """A file with one rewrite, estimated to save seven cycles, and as it was compiled."""
    heat = 0.02 if function == "rare" else 2.0
    found = finding(file=file, function=function, saves=Saves(7, 7, 7), heat=heat)
    rewrite = Rewrite(found, (), "A", "x")
    cycles = (Cycles("A", 900, 900 - saved), Cycles("B", 900, 0, mainstream=False))
    gain = Gain("x86-64", file, function, COST, COST, cycles=cycles)
    return Rewritten(file, "", "", (), (rewrite,)), Proof(file, gains=(gain,))


def test_cycles_times_heat():
    files = [("drivers/a.c", "rare", 802), ("fs/readdir.c", "filldir64", 62)]
    changes, proofs = zip(*(changed(*file) for file in files), strict=True)
    head, first, second = best_first(Gated(changes, (), (), (), proofs), False, str)
    assert "how often the function runs" in head
    assert "filldir64(): 1 rewrite, saves ~62 cycles" in first
    assert "rare(): 1 rewrite, saves ~800 cycles" in second


def test_system_calls_are_compiled_by_another_name():
    other = changed("drivers/a.c", "rare", 9)
    change, proof = changed("fs/utimes.c", "utime", 62)
    for compiled, said in (
        ("__do_sys_utime", "saves ~62 cycles"),
        ("__se_compat_sys_utime", "saves ~62 cycles"),
        # Another system call whose name ends alike: the estimate is all that is known.
        ("__do_sys_futime", "saves ~7 cycles"),
    ):
        own = tuple(replace(gain, function=compiled) for gain in proof.gains)
        proofs = (other[1], replace(proof, gains=own))
        lines = best_first(Gated((other[0], change), (), (), (), proofs), False, str)
        assert any(f"utime(): 1 rewrite, {said}" in line for line in lines)


def test_what_is_not_offered_is_counted_by_reason():
    small = finding(verdict="report", tier=None, reason=SMALL_GAIN)
    copy = replace(small, reason=ONE_COPY)
    assert not_offered([replace(small, reason="call-between")]) == []
    first, second = not_offered([small, copy, copy])
    assert first.startswith("1 rewrite not offered: too few cycles")
    assert second.startswith("2 windows not offered in new code: one copy is simpler")
