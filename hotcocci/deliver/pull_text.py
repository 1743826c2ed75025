# SPDX-License-Identifier: GPL-2.0
"""The text of a pull request: messages of commits, in the Markdown that forges show."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TRAILER = re.compile(r"[A-Z][A-Za-z -]+: \S")
# "@name" tells whoever is called that, "#1" leaves a note there: no backslash keeps GitHub from it
# (https://github.com/github/cmark-gfm/issues/181), as code it is text to all.
_CALLED = r"(?P<called>(?<![\w.])@\w[\w/-]*|#\d+)"
# A "_" inside of a word is one to all of them. With "!", "$", "&" and "%" GitLab refers to something:
# https://docs.gitlab.com/user/markdown/#gitlab-specific-references
_SIGN = r"[\\`*<>\[\]#|~$]|(?<!\w)_|!(?=\d)|&(?=\w)|%(?=[\w\"])"
_ESCAPED = re.compile(f"{_CALLED}|{_SIGN}")


def text(messages: Sequence[str]) -> tuple[str, str]:
    """Title and body of a pull request that holds commits with these messages, in their order."""
    title = messages[0].partition("\n")[0]
    if len(messages) == 1:
        return title, _body(messages[0])
    parts = []
    for message in messages:
        parts.append(f"### {_ESCAPED.sub(_escape, message.partition(chr(10))[0])}")
        parts.append(_body(message))
    return title, "\n\n".join(part for part in parts if part)


def _body(message: str) -> str:
    """What is below the subject: tables as they are, paragraphs in one line each."""
    blocks = [
        block for block in message.partition("\n")[2].split("\n\n") if block.strip()
    ]
    return "\n\n".join(_block(block.strip("\n").split("\n")) for block in blocks)


def _block(lines: Sequence[str]) -> str:
    if any(
        re.search(r"\S  +\S", line) or line[:1].isspace() for line in lines
    ) and not (lines[0].startswith("- ")):
        # A table: its columns are of blanks.
        return "\n".join(["```", *lines, "```"])
    shown = [_ESCAPED.sub(_escape, line.strip()) for line in lines]
    if all(_TRAILER.match(line) for line in lines):
        return "  \n".join(shown)
    text = shown[0]
    for line in shown[1:]:
        text += f"\n{line}" if line.startswith("- ") else f" {line}"
    # At the beginning of a line GitLab takes "/close" as an order:
    # https://docs.gitlab.com/user/project/quick_actions/
    return f"\\{text}" if text.startswith("/") else text


def _escape(found: re.Match[str]) -> str:
    return f"`{found[0]}`" if found["called"] else f"\\{found[0]}"
