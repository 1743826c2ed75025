# SPDX-License-Identifier: GPL-2.0
"""Checks on other targets than x86-64: those asked for, a file's own, and the other width."""

from dataclasses import replace
from itertools import count

import pytest

from hotcocci.errors import AGAIN
from hotcocci.findings import NOT_PROVEN, PROVEN, Change, Check, Execution, Line, Proof
from hotcocci.pipeline.checks import with_extra_targets
from hotcocci.pipeline.proving import _targets, with_other_width
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.gate import FOREIGN
from hotcocci.tree.build import BuildError
from hotcocci.tree.targets import ALL, NAMES, among

COMMON, OWN = "fs/a.c", "arch/arm64/kernel/a.c"
OLD = "int f(int *p)\n{\n\tp[0] += 1;\n\treturn p[1];\n}\n"
NEW = OLD.replace("+=", "-=")
X86 = {
    COMMON: Proof(COMMON, (Check("compile x86-64", "passed"),)),
    OWN: Proof(OWN, (Check("compile x86-64", "skipped", f"{FOREIGN} than x86-64"),)),
}


@pytest.fixture
def tree(small_kernel):
    return small_kernel({COMMON: OLD, OWN: OLD})


@pytest.fixture
def extended(tree, tmp_path):
    """Add the checks for targets of these names to the proofs for x86-64."""
    todo = [Change(file, OLD, NEW) for file in X86]

    def extend(*names):
        settings = Settings(jobs=1, extra_targets=names, cache_dir=tmp_path / "cache")
        return with_extra_targets(tree, todo, X86, settings)

    return extend


def compiled(proof):
    """The targets that a file was compiled for."""
    return [
        check.name.removeprefix("compile ")
        for check in proof.checks
        if check.name.startswith("compile ") and check.outcome == "passed"
    ]


@pytest.mark.parametrize("names", [(), ("x86-64",)])
def test_a_file_of_another_architecture_is_compiled_for_that(extended, names):
    result = extended(*names)
    assert result[COMMON] == X86[COMMON]
    assert compiled(result[OWN]) == ["arm64"]
    assert not any(FOREIGN in check.detail for check in result[OWN].checks)


def test_results_of_an_extra_target_are_added_to_files_that_it_compiles(extended):
    result = extended("arm64")[COMMON]
    assert compiled(result) == ["x86-64", "arm64"]
    assert [(gain.target, gain.function) for gain in result.gains] == [("arm64", "f")]
    result = extended("i386")
    assert compiled(result[OWN]) == ["arm64"]
    assert compiled(result[COMMON]) == ["x86-64", "i386"]


def test_all_skips_targets_without_a_compiler(extended, without):
    without(["powerpc-linux-gnu-gcc"])
    # One that is named needs it.
    with pytest.raises(BuildError, match="install them"):
        extended("powerpc-8xx")
    result = extended(ALL)[COMMON]
    details = {check.name: check.detail for check in result.checks}
    missing = {n: d for n, d in details.items() if "powerpc-linux-gnu-gcc" in d}
    absent = {"powerpc-8xx", "powerpc-book3s32"}
    assert set(missing) == {f"compile {name}" for name in absent}
    assert all("install them" in detail for detail in missing.values())
    assert compiled(result) == [name for name in NAMES if name not in absent]


def test_targets_of_a_proof(tree):
    def names(file, *also):
        settings = Settings(extra_targets=also)
        return [target.name for target in _targets(tree, file, settings)]

    assert names(COMMON) == ["x86-64"]
    assert names(COMMON, "arm64", "x86-64") == ["x86-64", "arm64"]
    assert names(OWN, "i386") == ["arm64"]
    assert names(COMMON, ALL) == list(NAMES)


def test_among():
    assert [t.name for t in among(["arm64", "i386"], COMMON)] == [
        name for name in NAMES if name in ("arm64", "i386")
    ]
    assert [t.name for t in among(["arm64", "i386"], OWN)] == ["arm64"]
    assert among([ALL], "arch/alpha/kernel/a.c") == ()


FILE, X86_CODE = "fs/a.c", "arch/x86/kernel/a.c"
OLD_SIZE = "int f(int *p)\n{\n\treturn p[1] + sizeof(*p);\n}\n"
WIDER = OLD_SIZE.replace("sizeof(*p)", "sizeof(p)")
OTHER = OLD_SIZE.replace("p[1]", "p[2]")
SEEN = (Execution("x86-64", FILE, "f", PROVEN),)
UNSEEN = (
    Execution("x86-64", FILE, "f", NOT_PROVEN, "why", unseen=Line(FILE, 3, False)),
)
AGREES = (Execution("powerpc-32", FILE, "f", PROVEN),)
DIFFERS = (Execution("powerpc-32", FILE, "f", NOT_PROVEN, "may differ: it returned 1"),)
LACKS = (Execution("powerpc-32", FILE, "f", NOT_PROVEN, f"out of memory: {AGAIN}"),)
BROKEN = (
    Execution("powerpc-32", FILE, "", NOT_PROVEN, "it no longer compiles: no member"),
)
NEVER = (Execution("powerpc-32", FILE, "", NOT_PROVEN, "it does not compile: no b.h"),)
TOO_MUCH = (Execution("powerpc-32", FILE, "f", NOT_PROVEN, "too many paths"),)


@pytest.fixture
def compared(small_kernel, tmp_path):
    """The comparisons that are added for a change of a file to a text, given those for x86-64."""
    tree = small_kernel({FILE: OLD_SIZE, X86_CODE: OLD_SIZE})
    # What is remembered for a change would answer for the next one.
    caches = (tmp_path / f"cache{number}" for number in count())

    def compare(new, ran, made=AGREES, file=FILE):
        def runner(tasks):
            assert [(task.file, task.build.target.name) for task in tasks] == [
                (file, "powerpc-32")
            ]
            yield from ((task, made) for task in tasks)

        settings = Settings(jobs=1, cache_dir=next(caches))
        change = Change(file, OLD_SIZE, new)
        return with_other_width(tree, [change], {file: [ran]}, runner, settings)

    return compare


def verdicts(found):
    return [each.verdict for each in found.get(FILE, ())]


def test_where_its_words_depend_on_width(compared):
    assert verdicts(compared(WIDER, SEEN)) == [PROVEN]
    assert verdicts(compared(WIDER, SEEN, DIFFERS)) == [NOT_PROVEN]


def test_where_no_word_depends_on_it_only_a_difference_counts(compared):
    assert verdicts(compared(OTHER, SEEN)) == [PROVEN]
    assert verdicts(compared(OTHER, SEEN, DIFFERS)) == [NOT_PROVEN]
    assert compared(OTHER, SEEN, TOO_MUCH) == {}
    (found,) = compared(OTHER, SEEN, BROKEN)[FILE]
    assert found.detail == BROKEN[0].detail
    assert compared(OTHER, SEEN, NEVER) == {}
    # It may show a difference when it is tried again.
    (found,) = compared(OTHER, SEEN, LACKS)[FILE]
    assert found.detail == LACKS[0].detail
    assert verdicts(compared(WIDER, SEEN, TOO_MUCH)) == [NOT_PROVEN]


def test_not_what_is_not_proven_anyway(compared):
    assert compared(WIDER, (*SEEN, Execution("x86-64", FILE, "g", NOT_PROVEN))) == {}


def test_lines_that_are_not_seen_may_be_there(compared):
    assert verdicts(compared(OTHER, UNSEEN)) == [PROVEN]
    # It was not proven before.
    assert compared(OTHER, UNSEEN, TOO_MUCH) == {}
    # A difference elsewhere does not show what they do.
    there = (*DIFFERS, *(replace(each, target="powerpc-32") for each in UNSEEN))
    found = compared(OTHER, UNSEEN, there)[FILE]
    assert [each.unseen for each in found] == [each.unseen for each in there]


def test_not_the_code_of_one_architecture(compared):
    assert compared(WIDER, SEEN, file=X86_CODE) == {}


def test_without_a_compiler(compared, without):
    without(["powerpc-linux-gnu-gcc"])
    (found,) = compared(WIDER, SEEN)[FILE]
    assert found.verdict == NOT_PROVEN
    assert "32 bits or the other byte order (sizeof)" in found.detail
    assert "powerpc-linux-gnu-gcc" in found.detail
    assert compared(OTHER, UNSEEN) == {}


def test_a_file_that_is_not_compiled_there(compared, monkeypatch):
    monkeypatch.setattr("hotcocci.proof.task.commands", lambda build, files: {})
    (found,) = compared(WIDER, SEEN)[FILE]
    assert found.verdict == NOT_PROVEN and "kbuild does not compile it" in found.detail
    assert verdicts(compared(OTHER, UNSEEN)) == [PROVEN]
