# SPDX-License-Identifier: GPL-2.0
"""Which patches a series has: one rule and one subsystem each, with a gain, the best fifteen."""

from types import SimpleNamespace

import pytest

from hotcocci.deliver import choose
from hotcocci.findings import Check, Cost, Count, Gain, Proof, Rewrite, Saves, Skip
from hotcocci.pipeline.changes import Gated, Rewritten
from hotcocci.pipeline.settings import Settings
from tests.shared import finding

LAMP = "light: lamp: use user access windows"
LOOP = f"{LAMP} in lamp_get_palette()"
PLAYER = "ALSA: player: Use user access windows in player_get()"


def rewrite(rule, file, function, accesses=3):
    saves = Saves(accesses, accesses, accesses)
    fields = {"rule": rule, "file": file, "function": function, "accesses": accesses}
    return Rewrite(finding(**fields, saves=saves), (), "window", "x")


def changes(rewrites, *_):
    made = {}
    for each in rewrites:
        made.setdefault(each.finding.file, []).append(each)
    return [Rewritten(file, "", "", (), tuple(some)) for file, some in made.items()]


def gate(instructions):
    """Stand-in for the gate, in which each function of a file has so many instructions at the end."""
    old, new = (Count(n, 1, 2, 0, 5) for n in (80, instructions))
    sides = Cost(old, old, 300), Cost(new, new, 300)
    passed = (Check("compile x86-64", "passed"),)

    def proof(change):
        functions = (r.finding.function or "" for r in change.rewrites)
        gains = tuple(Gain("x86-64", change.file, f, *sides) for f in functions)
        return Proof(change.file, passed, gains)

    return lambda _tree, wanted, _settings: Gated(
        tuple(wanted), (), (), (), tuple(map(proof, wanted))
    )


@pytest.fixture
def chosen(monkeypatch):
    """Choose from rewrites, with stand-ins for the gate and the proof."""

    def made(
        *rewrites,
        instructions=13,
        prove=lambda _tree, gated, _settings: gated,
        standing=(),
        most=choose.MOST,
    ):
        monkeypatch.setattr(choose, "changes", changes)
        monkeypatch.setattr(choose, "pass_gate", gate(instructions))
        monkeypatch.setattr(choose, "pass_proof", prove)
        analysis = SimpleNamespace(possible=(), texts={})
        return choose.choose(None, analysis, rewrites, (), standing, Settings(), most)

    return made


def keys(choice):
    return [patch.key for patch in choice.patches]


def test_one_rule_and_one_subsystem(chosen):
    choice = chosen(
        rewrite("UA201", "fs/a.c", "f"),
        rewrite("UA101", "fs/a.c", "g"),
        rewrite("UA101", "fs/b.c", "h"),
        rewrite("UA101", "net/a.c", "f"),
    )
    assert keys(choice) == [("fs", "UA101"), ("fs", "UA201"), ("net", "UA101")]
    assert [part.file for part in choice.patches[0].parts] == ["fs/a.c", "fs/b.c"]


def test_two_patches_do_not_change_one_function(chosen):
    second = rewrite("UA201", "fs/a.c", "f")
    choice = chosen(rewrite("UA101", "fs/a.c", "f"), second)
    assert keys(choice) == [("fs", "UA101")]
    assert choice.shared == (second.finding,)


def test_what_is_not_proven_is_left_out(chosen):
    def prove(_tree, gated, _settings):
        passed = [change for change in gated.passed if change.file != "fs/a.c"]
        proofs = [proof for proof in gated.proofs if proof.file != "fs/a.c"]
        why = (Skip("fs/a.c", "it sleeps"),)
        return Gated(tuple(passed), (), (), (), tuple(proofs), why)

    choice = chosen(
        rewrite("UA101", "fs/a.c", "f"),
        rewrite("UA101", "fs/b.c", "f"),
        rewrite("UA102", "fs/a.c", "g"),
        prove=prove,
    )
    assert keys(choice) == [("fs", "UA101")]
    assert [part.file for part in choice.patches[0].parts] == ["fs/b.c"]
    # Each patch is proven on its own.
    assert [skip.file for skip in choice.gated.unproven] == ["fs/a.c", "fs/a.c"]


def test_the_best_come_first_after_those_of_the_branch(chosen):
    proven = []

    def prove(_tree, gated, _settings):
        proven.extend(change.file for change in gated.passed)
        return gated

    choice = chosen(
        *(rewrite("UA101", f"drivers/{n}/a.c", "f", n) for n in range(2, 7)),
        prove=prove,
        standing=[("drivers/3", "UA101")],
        most=2,
    )
    assert keys(choice) == [("drivers/3", "UA101"), ("drivers/6", "UA101")]
    later = [patch.subsystem for patch in choice.later]
    assert later == ["drivers/5", "drivers/4", "drivers/2"]
    # Nobody waits for the proof of a patch that is not in the series.
    assert proven == ["drivers/3/a.c", "drivers/6/a.c"]


def test_further_threads(git, run, capsys):
    """Three patches of the repository, and as many others as one thread has."""
    text = (git.root / "sound/player.c").read_text()
    for number in range(choose.MOST):
        git.commit(f"drivers/d{number}/a.c", text, f"d{number}: Add it")
    both = ("--rule", "UA102")
    assert run("--branch", "hot", *both) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == choose.MOST
    assert said.err.count("left for a further thread: ") == 3
    assert "--branch hot-next --after hot" in said.err
    assert run("--branch", "hot-next", "--after", "hot", *both) == 0
    more = capsys.readouterr()
    found = {line[13:] for line in (said.out + more.out).splitlines()}
    assert len(found) == choose.MOST + 3 and {LAMP, LOOP, PLAYER} <= found
    assert "further thread" not in more.err
    assert run("--branch", "other", "--after", "master") == 2
    assert "the branch master was not made by this" in capsys.readouterr().err
