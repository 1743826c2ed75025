# SPDX-License-Identifier: GPL-2.0
"""The cover letter of a series: what it buys in all, who gets which patch, how to make it again."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from hotcocci import __version__
from hotcocci.deliver import words
from hotcocci.deliver.message import COUNTED, WIDTH, wrapped
from hotcocci.deliver.parts import Patch
from hotcocci.deliver.recipients import Recipients
from hotcocci.deliver.table import totals
from hotcocci.plural import count


@dataclass(frozen=True)
class Listed:
    """A commit of the series: its subject, who gets it, and whether the user made or edited it."""

    subject: str
    recipients: Recipients
    by_hand: bool


def cover(
    patches: Sequence[Patch], listed: Sequence[Listed], base: str, command: str
) -> str:
    """Subject, an empty line and body. ``base`` names the commit that the series stands on."""
    rewrites = [rewrite for patch in patches for rewrite in patch.rewrites]
    gains = [g for patch in patches for part in patch.parts for g in part.proof.gains]
    files = {part.file for patch in patches for part in patch.parts}
    rules = sorted({rewrite.finding.rule for rewrite in rewrites})
    title = words.title(rewrites) if rewrites else "changes by hand"
    blocks = [title[0].upper() + title[1:]]
    blocks += [wrapped(s.text) for s in dict.fromkeys(words.said(rewrites))]
    blocks.append(
        wrapped(
            f"{count(len(rewrites), 'rewrite')} in {count(len(files), 'file')}, one patch for each subsystem. "
            f"The patches were made by hotcocci {__version__} ({', '.join(rules)}), with the semantic patches "
            "that they name. What was tested, and what was not, stands in each of them."
        )
    )
    figures = totals(gains)
    if figures:
        blocks += [wrapped(f"In all. {COUNTED}"), "\n".join(figures)]
    blocks.append("The patches, and whom scripts/get_maintainer.pl names:")
    blocks += [_patch(number, one) for number, one in enumerate(listed, 1)]
    blocks.append(wrapped(f"To make them again, on commit {base}:"))
    blocks.append(f"  {command}")
    return "\n\n".join(blocks) + "\n"


def _patch(number: int, one: Listed) -> str:
    lines = [f"{number}. {one.subject}"]
    if one.by_hand:
        lines.append("   (made or edited by hand)")
    for name, addresses in (("To", one.recipients.to), ("Cc", one.recipients.cc)):
        if addresses:
            lines += textwrap.wrap(
                f"{name}: {', '.join(addresses)}",
                WIDTH,
                initial_indent="   ",
                subsequent_indent="       ",
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join(lines)
