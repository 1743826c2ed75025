# SPDX-License-Identifier: GPL-2.0
"""Findings at editor positions, in every position encoding."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec

from hotcocci.findings import Edit, Rewrite, Skip
from hotcocci.output import lsp, sarif
from hotcocci.output.lsp import Log, Result, read
from hotcocci.tree.kernel import Features, Tree
from tests.shared import finding

UTF16 = PositionCodec(types.PositionEncodingKind.Utf16)
UTF8 = PositionCodec(types.PositionEncodingKind.Utf8)
TREE = Tree(Path("/linux"), Features(False, False, False, False, False, frozenset()))

RESULT = Result(
    *("UA101", "warning", "2 reads", 1, 2, "rewrite/safe", "safe", None),
    notes=("A note.",),
    fix=(
        types.TextEdit(
            types.Range(types.Position(1, 1), types.Position(1, 4)), "window();"
        ),
    ),
)


def test_the_log_is_read_back():
    text = "/* \N{GREEK SMALL LETTER MU} \N{GRINNING FACE} */ a;\n\tb;\n"
    raw = text.encode("utf-8").decode("latin-1")
    first = finding(file="fs/a.c", message="2 reads")
    report = finding(
        file="fs/a.c", line=2, verdict="report", tier=None, reason="below-min-run"
    )
    start = raw.index("a;")
    edit = Edit(start, start + 2, "window();")
    rewrite = Rewrite(first, (edit,), "A", "classic", ("N.",))
    skipped = [Skip("fs/a.c", "slow")]
    document = sarif.document(
        TREE, [first, report], [rewrite], skipped, {"fs/a.c": raw}
    )
    assert read(document, "file:///linux/fs/b.c").results == ()
    log = read(document, "file:///linux/fs/a.c")
    first, second = log.results
    assert (first.line, first.end_line, first.level) == (0, 1, "note")
    assert (first.tag, first.tier, first.notes) == ("rewrite/safe", "safe", ("N.",))
    assert (second.tag, second.reason) == ("report/below-min-run", "below-min-run")
    assert second.fix == () and log.skipped == ("skipped: slow",)
    # A character outside the BMP is two UTF-16 units and four UTF-8 bytes.
    for codec, column in ((UTF16, 11), (UTF8, 14)):
        (edit,) = lsp.rewriting(first, lsp.view(text, codec))
        assert edit.range.start == types.Position(0, column)
        assert edit.range.end == types.Position(0, column + 2)
        assert edit.new_text == "window();"


@pytest.mark.parametrize("document", ["", "{}", "[]", '{"runs": [{}]}'])
def test_input_that_is_not_a_log(document):
    with pytest.raises(ValueError):
        read(document, "file:///a.c")


def test_a_form_feed_does_not_end_a_line():
    shown = lsp.view("a\n\fb;\n\tget();\n", UTF16)
    found = lsp.diagnostic(replace(RESULT, line=2, end_line=2), shown)
    assert found.range == types.Range(types.Position(2, 1), types.Position(2, 7))


def test_skipped_files_are_reported():
    shown = lsp.view("a\nb\n", UTF16)
    (found,) = lsp.diagnostics([], Log(skipped=("skipped: slow",)), shown)
    assert found.message == "skipped: slow"
    assert found.severity == types.DiagnosticSeverity.Information


def test_a_report_shows_its_reason():
    report = replace(RESULT, tier=None, reason="below-min-run", fix=())
    hover = lsp.hover([report], 1)
    assert hover is not None and isinstance(hover.contents, types.MarkupContent)
    assert "Not rewritten: below-min-run. " in hover.contents.value


def test_no_comment_in_a_macro():
    shown = lsp.view("#define A \\\n\tget(); \\\n\tget();\n", UTF16)
    assert lsp.allowing(RESULT, shown) == []
    (edit,) = lsp.allowing(
        replace(RESULT, line=0, end_line=0), lsp.view("get();", UTF16)
    )
    assert edit.new_text == "/* hotcocci: allow UA101 - */\n"
    assert lsp.allowing(replace(RESULT, rule="UW00"), lsp.view("a\nb\nc", UTF16)) == []


TEXTS = st.lists(st.sampled_from("abc"), min_size=1, max_size=8)


@given(TEXTS, TEXTS, st.integers(0, 7), st.integers(0, 3))
def test_a_finding_keeps_its_lines(old, new, line, more):
    end = min(line + more, len(old) - 1)
    result = replace(RESULT, line=min(line, end), end_line=end)
    found = lsp.moved([result], "\n".join(old), "\n".join(new))
    for each in found:
        assert new[each.line : each.end_line + 1] == old[result.line : end + 1]
    if old == new:
        assert found == [result]


@given(TEXTS, TEXTS, st.integers(0, 8))
def test_a_finding_moves_with_the_lines_before(old, more, at):
    """Inserting lines anywhere outside a finding keeps it."""
    at = min(at, len(old))
    new = [*old[:at], *more, *old[at:]]
    for line in range(len(old)):
        result = replace(RESULT, line=line, end_line=line)
        (found,) = lsp.moved([result], "\n".join(old), "\n".join(new))
        assert new[found.line] == old[line]


def test_a_finding_between_two_edits_moves():
    """An action has edits where it was asked for, and at the end of the function."""
    old = "a\nget\nbetween\nput\nmore\nend"
    new = "a\nwindow\nunsafe\nbetween\nput\nmore\nlabel\nend"
    (found,) = lsp.moved([replace(RESULT, line=3, end_line=3)], old, new)
    assert (found.line, found.end_line) == (4, 4)
