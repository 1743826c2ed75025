# SPDX-License-Identifier: GPL-2.0
"""A patch of somebody else is compared with 32 bits, too: it has to be proven there if its words depend on that."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count

import pytest

from hotcocci.errors import AGAIN
from hotcocci.findings import NOT_PROVEN, PROVEN, Change, Execution, Line
from hotcocci.pipeline.proving import with_other_width
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.task import Task

FILE, OWN = "fs/a.c", "arch/x86/kernel/a.c"
OLD = "int f(int *p)\n{\n\treturn p[1] + sizeof(*p);\n}\n"
WIDER = OLD.replace("sizeof(*p)", "sizeof(p)")
OTHER = OLD.replace("p[1]", "p[2]")
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

Compared = Callable[..., dict[str, tuple[Execution, ...]]]


@pytest.fixture
def compared(small_kernel, tmp_path) -> Compared:
    """The comparisons that are added for a change of a file to a text, given those for x86-64."""
    tree = small_kernel({FILE: OLD, OWN: OLD})
    # What is remembered for a change would answer for the next one.
    caches = (tmp_path / f"cache{number}" for number in count())

    def compare(
        new: str,
        ran: tuple[Execution, ...],
        made: tuple[Execution, ...] = AGREES,
        file: str = FILE,
    ) -> dict[str, tuple[Execution, ...]]:
        def runner(
            tasks: Sequence[Task],
        ) -> Iterator[tuple[Task, tuple[Execution, ...]]]:
            assert [(task.file, task.build.target.name) for task in tasks] == [
                (file, "powerpc-32")
            ]
            yield from ((task, made) for task in tasks)

        settings = Settings(jobs=1, cache_dir=next(caches))
        change = Change(file, OLD, new)
        return with_other_width(tree, [change], {file: [ran]}, runner, settings)

    return compare


def verdicts(found: dict[str, tuple[Execution, ...]]) -> list[str]:
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
    assert compared(WIDER, SEEN, file=OWN) == {}


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
