# SPDX-License-Identifier: GPL-2.0
"""Failed checks and proofs on other targets hold back a rewrite."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.findings import Edit, Rewrite
from hotcocci.pipeline.changes import Gated, change_of
from hotcocci.pipeline.proof_gate import pass_proof
from hotcocci.pipeline.settings import Settings
from tests.shared import finding

TEXTS = Path(__file__).with_name("proof_gate")

TEXT = (TEXTS / "text.c").read_text(encoding="utf-8")
EQUAL = ("equal", "p[0] + p[1]", "p[1] + p[0]")
DIFFERENT = ("other", "p[2] + p[3]", "p[2] - p[3]")
# No solver factors products of 64 bits in the time allowed.
NOT_PROVEN = ("absent", "return *p", "return p[0]")
NOT_FOR_I386 = (
    "other",
    "\treturn p[2]",
    "#ifdef __i386__\n#error it says\n#endif\n\treturn p[2]",
)

Gate = Callable[..., Gated]


def rewrite(function: str, before: str, after: str) -> Rewrite:
    start = TEXT.index(before)
    line = TEXT.count("\n", 0, start) + 1
    edit = Edit(start, start + len(before), after)
    return Rewrite(finding(line=line, function=function), (edit,), "A", "classic")


@pytest.fixture
def gate(small_kernel, tmp_path) -> Gate:
    """Prove changes that are given as function, text before and text after."""
    tree = small_kernel({"a.c": TEXT})

    def proven(*changes: tuple[str, str, str], **options: object) -> Gated:
        # These rewrites save nothing.
        chosen = {"allow_no_gain": True, **options}
        settings = Settings(jobs=1, cache_dir=tmp_path / "cache", **chosen)  # type: ignore[arg-type]
        rewrites = [rewrite(*change) for change in changes]
        change = change_of("a.c", TEXT, rewrites, {"UA101": len(rewrites)})
        return pass_proof(tree, Gated((change,), (), (), ()), settings)

    return proven


def passed(gated: Gated) -> list[str | None]:
    """The functions with a rewrite that passed."""
    return [r.finding.function for change in gated.passed for r in change.rewrites]


def test_only_the_function_that_differs_is_omitted(gate):
    result = gate(EQUAL, DIFFERENT)
    assert passed(result) == ["equal"]
    (refused,) = result.refused
    assert (refused.function, refused.reason) == ("other", "failed-proof")
    said = "the rewrite is not equivalent: other() on x86-64: it returned "
    assert said in refused.message


def test_unproven_functions_are_omitted_unless_allowed(gate):
    allowed = {"allow_uncompiled": True}
    result = gate(EQUAL, NOT_PROVEN, **allowed)
    assert passed(result) == ["equal"]
    (skip,) = result.unproven
    assert skip.reason.startswith("line 19: absent() on x86-64 is not proven: ")
    result = gate(EQUAL, NOT_PROVEN, **allowed, allow_unproven=True)
    assert passed(result) == ["equal", "absent"]


def test_a_check_failing_on_another_target_refuses_the_file(gate):
    for allowed in (False, True):
        targets = {"extra_targets": ("i386",), "allow_unproven": allowed}
        result = gate(EQUAL, NOT_FOR_I386, **targets)
        assert result.passed == result.proofs == ()
        assert {refused.reason for refused in result.refused} == {"failed-proof"}
        said = "compile i386 failed: a.c:9: error: #error it says"
        assert said in result.refused[0].message
