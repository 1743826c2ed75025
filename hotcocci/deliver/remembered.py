# SPDX-License-Identifier: GPL-2.0
"""What is remembered of a delivery: an object in the repository that a ref below refs/hotcocci names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hotcocci.deliver.gitrepo import Repository, update_refs
from hotcocci.errors import UserError

FORMAT = 1


def read(repository: Repository, ref: str) -> dict[str, Any] | None:
    """What a ref remembers, None if there is none. Raises UserError if it cannot be read."""
    code, out, _ = repository.ask("cat-file", "blob", ref)
    if code != 0:
        return None
    try:
        told: dict[str, Any] = json.loads(out)
        if told.pop("format") != FORMAT:
            raise ValueError
        return told
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise unreadable(ref) from error


def write(repository: Repository, ref: str, told: Mapping[str, Any]) -> None:
    """Remember something in the place of what was. Raises GitError if git cannot write it."""
    text = json.dumps({"format": FORMAT, **told}, indent=1) + "\n"
    blob = repository.git("hash-object", "-w", "--stdin", stdin=text).strip()
    before = repository.ask("rev-parse", "--verify", "--quiet", ref)[1].strip()
    update_refs(repository, [(ref, blob, before)])


def unreadable(ref: str) -> UserError:
    """The error about a ref that another version, or someone else, has written."""
    return UserError(
        f"{ref} is not readable: look at it by 'git cat-file -p {ref}', then remove it by 'git update-ref -d {ref}'"
    )
