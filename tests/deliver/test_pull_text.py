# SPDX-License-Identifier: GPL-2.0
"""Commit messages as Markdown for a pull request."""

from pathlib import Path

import pytest

from hotcocci.deliver.pulls import text

TEXTS = Path(__file__).with_name("pull_text")

MESSAGE = (TEXTS / "message.txt").read_text(encoding="utf-8")
BODY = (TEXTS / "body.md").read_text(encoding="utf-8")


def test_tables_are_kept_and_paragraphs_joined():
    assert text([MESSAGE]) == ("ALSA: player: Use user access windows", BODY)


def test_several_commits_keep_their_titles():
    title, body = text(["a: First\n\nOne.\n", "a: Second *\n"])
    assert title == "a: First"
    assert body == "### a: First\n\nOne.\n\n### a: Second \\*"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        # Mentions would notify users of that name.
        (
            "The caller gives @len, not @buf-size.",
            "The caller gives `@len`, not `@buf-size`.",
        ),
        ("Ask ada@lamps.example.", "Ask ada@lamps.example."),
        # GitLab references: issues, merge requests, snippets, epics, milestones and labels.
        ("As #12 and linux#3 say.", "As `#12` and linux`#3` say."),
        ("See !4 and $5, &6, %7, ~8.", "See \\!4 and \\$5, \\&6, \\%7, \\~8."),
        ("if (!ok) saves 5% of it", "if (!ok) saves 5% of it"),
        ("&amp; stays, and &u->a", "\\&amp; stays, and \\&u-\\>a"),
        # GitLab quick actions.
        ("/close\nit", "\\/close it"),
        ("In\n/proc/self", "In /proc/self"),
    ],
)
def test_special_syntax_of_forges_is_escaped(raw, shown):
    assert text([f"a: b\n\n{raw}\n"]) == ("a: b", shown)
