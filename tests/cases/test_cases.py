# SPDX-License-Identifier: GPL-2.0
"""The tool reports the marked findings of each case, and rewrites it as expected."""

import difflib
import itertools

from case_files import FIXTURES, TREE_OF_API, without_header

from tests.shared import NEEDS_SPATCH

pytestmark = NEEDS_SPATCH

HEADER = "include/linux/uaccess.h"


def agrees(want, finding):
    """Whether a finding matches an expected one, in every field the case names."""
    detail = "tier" if want.verdict == "rewrite" else "reason"
    names = ("rule", "line", "verdict", "accesses", "base", "direction")
    fields = {name: getattr(want, name) for name in names} | {detail: want.detail}
    known = {name: value for name, value in fields.items() if value is not None}
    return known.items() <= finding.items()


def of_case(case, findings):
    """The findings of one case, sorted by line."""
    return sorted(
        (f for f in findings if f["file"] == case.path), key=lambda f: f["line"]
    )


def test_case(case, tool):
    """Its findings and its text are the wanted ones, and stay so on a second run, with each kind of window.

    test_texts.py says that the wanted text does the same.
    """
    found = [f"{api}: {c}" for api in case.apis for c in complaints(case, api, tool)]
    assert not found, "\n".join(found)


def complaints(case, api, tool):
    """What is not as the case says."""
    outcome = tool(api, case)
    yield from (str(skip) for skip in outcome.skipped if skip["file"] == case.path)
    wants, found = case.wants_for(api), of_case(case, outcome.findings)
    for want, finding in itertools.zip_longest(wants, found):
        if not (want and finding and agrees(want, finding)):
            yield f"wanted {want}, found {finding}"
    wanted = case.afters.get(api) or without_header(case.source)
    made = without_header(outcome.texts[case.name])
    texts = wanted.splitlines(True), made.splitlines(True)
    yield from difflib.unified_diff(*texts, "wanted", "made")
    own = (FIXTURES / TREE_OF_API[api] / HEADER).read_text(encoding="utf-8")
    if outcome.header != case.headers.get(api, own):
        yield f"{HEADER} is not as wanted"
    for finding in of_case(case, outcome.left):
        # A window that is only narrowed may still become a scope, if a person so decides.
        if finding["tier"] not in (None, "manual"):
            yield f"found in its own output: {finding}"
    if outcome.texts_again[case.name] != outcome.texts[case.name]:
        yield "its own output is rewritten again"
