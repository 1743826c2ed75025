# SPDX-License-Identifier: GPL-2.0
"""Users of a header are compared until one refuses the change, and functions of it by themselves first."""

import pytest

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, Execution, Line
from hotcocci.pipeline.inputs import prepared
from hotcocci.pipeline.proving import _compared
from hotcocci.proof.task import NO_CODE, tasks
from hotcocci.tree.targets import X86_64

FILE, NAME = "fs/a.h", ("fs/a.h", "x86-64")
USERS = [f"fs/{number}.c" for number in range(6)]
MACRO = "#define TWICE(n) ((n) * 2)\n"
FUNCTION = "static inline int twice(int n)\n{\n\treturn n * 2;\n}\n"
USER = '#include "a.h"\nint f(int n)\n{\n\treturn TWICE(n) + twice(n);\n}\n'


@pytest.fixture
def compared(small_kernel, settings):
    """The answers of a runner on a change of the header, by user; and the users that it was given, each time."""
    header = MACRO + FUNCTION
    tree = small_kernel({FILE: header, **dict.fromkeys(USERS, USER)})
    build = prepared(tree, X86_64, settings)
    started = []

    def compare(old, new, answers):
        def runner(some):
            started.append(
                ["f" if t.functions else t.commands[0].file[3:-2] for t in some]
            )
            for task in some:
                key = "f" if task.functions else task.commands[0].file
                yield task, answers.get(key, (answer(PROVEN),))

        change = FILE, header, header.replace(old, new)
        (found,) = _compared(tasks(build, [change]), runner, settings).items()
        assert found[0] == NAME
        return [each for made in found[1] for each in made], started

    return compare


def answer(verdict, detail="", **more):
    return Execution("x86-64", FILE, "f", verdict, detail, **more)


def said(made):
    return [each.detail for each in made if each.verdict != PROVEN]


IN_MACRO = "((n) * 2)", "(2 * (n))"
IN_FUNCTION = "return n * 2", "return 2 * n"
DIFFERS = (answer(DIFFERENT, "it differs"),)
UNSEEN = (answer(NOT_PROVEN, "removed", unseen=Line(FILE, 1, False)),)
NO_COMPILER = (Execution("x86-64", "", "", NOT_PROVEN, "it does not compile"),)


@pytest.mark.parametrize(
    ("answers", "rounds", "details"),
    [
        ({}, [1, 1, 2, 2], []),
        (
            {USERS[0]: DIFFERS},
            [1],
            ["it differs", "5 other users of what it changes not compared"],
        ),
        (
            {USERS[3]: DIFFERS},
            [1, 1, 2],
            ["it differs", "2 other users of what it changes not compared"],
        ),
        # Others may see the line.
        ({USERS[0]: UNSEEN}, [1, 1, 2, 2], ["removed"]),
        ({USERS[0]: (answer(NOT_PROVEN, NO_CODE),)}, [1, 1, 2, 2], []),
        # Something has to be compared.
        (
            {USERS[0]: NO_COMPILER},
            [1, 1],
            ["it does not compile", "4 other users of what it changes not compared"],
        ),
    ],
)
def test_users_until_one_refuses(compared, answers, rounds, details):
    made, started = compared(*IN_MACRO, answers)
    assert said(made) == details
    assert [len(some) for some in started] == rounds


@pytest.mark.parametrize(
    ("answers", "rounds", "details"),
    [
        ({}, [1], []),
        # No user sees more of it.
        ({"f": UNSEEN}, [1], ["removed"]),
        # It may differ for what no user passes.
        ({"f": DIFFERS}, [1, 1, 1, 2, 2], []),
        (
            {"f": DIFFERS, USERS[0]: (answer(NOT_PROVEN, "unknown"),)},
            [1, 1],
            ["it differs", "unknown", "5 other users of what it changes not compared"],
        ),
    ],
)
def test_functions_need_no_users_if_they_are_proven(compared, answers, rounds, details):
    made, started = compared(*IN_FUNCTION, answers)
    assert said(made) == details
    assert [len(some) for some in started] == rounds
    assert started[0] == ["f"]
