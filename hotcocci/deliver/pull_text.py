# SPDX-License-Identifier: GPL-2.0
"""The text of a pull request: commit messages as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TRAILER = re.compile(r"[A-Z][A-Za-z -]+: \S")
# "@name" notifies a user and "#1" links an issue. GitHub ignores a backslash there
# (https://github.com/github/cmark-gfm/issues/181); code spans work on all forges.
_CALLED = r"(?P<called>(?<![\w.])@\w[\w/-]*|#\d+)"
# A "_" inside a word is literal on all forges. "!", "$", "&" and "%" start GitLab references:
# https://docs.gitlab.com/user/markdown/#gitlab-specific-references
_SIGN = r"[\\`*<>\[\]#|~$]|(?<!\w)_|!(?=\d)|&(?=\w)|%(?=[\w\"])"
_ESCAPED = re.compile(f"{_CALLED}|{_SIGN}")


def text(messages: Sequence[str]) -> tuple[str, str]:
    """Return title and body of a pull request for commits with these messages."""
    title = messages[0].partition("\n")[0]
    if len(messages) == 1:
        return title, _body(messages[0])
    parts = []
    for message in messages:
        parts.append(f"### {_ESCAPED.sub(_escape, message.partition(chr(10))[0])}")
        parts.append(_body(message))
    return title, "\n\n".join(part for part in parts if part)


def _body(message: str) -> str:
    """Convert the body of a message: tables verbatim, each paragraph on one line."""
    blocks = [
        block for block in message.partition("\n")[2].split("\n\n") if block.strip()
    ]
    return "\n\n".join(_block(block.strip("\n").split("\n")) for block in blocks)


def _block(lines: Sequence[str]) -> str:
    if any(
        re.search(r"\S  +\S", line) or line[:1].isspace() for line in lines
    ) and not (lines[0].startswith("- ")):
        # A table: columns are separated by spaces.
        return "\n".join(["```", *lines, "```"])
    shown = [_ESCAPED.sub(_escape, line.strip()) for line in lines]
    if all(_TRAILER.match(line) for line in lines):
        return "  \n".join(shown)
    text = shown[0]
    for line in shown[1:]:
        text += f"\n{line}" if line.startswith("- ") else f" {line}"
    # GitLab runs "/close" at the start of a line as a command:
    # https://docs.gitlab.com/user/project/quick_actions/
    return f"\\{text}" if text.startswith("/") else text


def _escape(found: re.Match[str]) -> str:
    return f"`{found[0]}`" if found["called"] else f"\\{found[0]}"
