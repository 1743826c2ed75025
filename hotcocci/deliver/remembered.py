# SPDX-License-Identifier: GPL-2.0
"""Store state on deliveries in the repository: JSON blobs with refs below refs/hotcocci."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hotcocci.deliver.gitrepo import Repository, update_refs
from hotcocci.errors import UserError

FORMAT = 1


def read(repository: Repository, ref: str) -> dict[str, Any] | None:
    """Read the state in a ref, None if there is none. Raises UserError if it is invalid."""
    code, out, _ = repository.ask("cat-file", "blob", ref)
    if code != 0:
        return None
    try:
        data: dict[str, Any] = json.loads(out)
        if data.pop("format") != FORMAT:
            raise ValueError
        return data
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise unreadable(ref) from error


def write(repository: Repository, ref: str, data: Mapping[str, Any]) -> None:
    """Replace the state in a ref. Raises GitError if git cannot write it."""
    text = json.dumps({"format": FORMAT, **data}, indent=1) + "\n"
    blob = repository.git("hash-object", "-w", "--stdin", stdin=text).strip()
    before = repository.ask("rev-parse", "--verify", "--quiet", ref)[1].strip()
    update_refs(repository, [(ref, blob, before)])


def unreadable(ref: str) -> UserError:
    """Return the error for a ref that another version, or someone else, has written."""
    return UserError(
        f"{ref} is invalid: check it with 'git cat-file -p {ref}', then remove it with 'git update-ref -d {ref}'"
    )
