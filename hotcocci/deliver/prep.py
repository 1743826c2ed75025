# SPDX-License-Identifier: GPL-2.0
"""Set a branch up as 'b4 prep' does, with the cover letter in the branch description.

See prep-cover-strategy in b4's documentation: b4 keeps its data on a branch in the repository's
configuration, without an extra commit.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from hotcocci.deliver.gitrepo import Repository, identity, read_commit
from hotcocci.deliver.recipients import Recipients, joined
from hotcocci.errors import UserError

STRATEGY = "branch-description"


def trailers(several: Sequence[Recipients]) -> str:
    """Return the trailers of a cover letter that tell b4 the recipients."""
    own = joined(list(several))
    lines = [f"To: {address}" for address in own.to]
    return "".join(f"{line}\n" for line in [*lines, *(f"Cc: {a}" for a in own.cc)])


def prepare(repository: Repository, branch: str, base: str) -> None:
    """Configure a branch for b4; data that b4 added, such as the revision, is kept.

    Raises UserError if b4 tracks the branch with another strategy.
    """
    section = f"branch.{branch}"
    strategy = _get(repository, f"{section}.b4-prep-cover-strategy") or STRATEGY
    if strategy != STRATEGY:
        raise UserError(
            f"b4 tracks {branch} with cover strategy {strategy!r}: omit --b4, or name another branch"
        )
    known = _get(repository, f"{section}.b4-tracking")
    try:
        tracking: dict[str, Any]
        tracking = json.loads(known) if known else {"series": {"revision": 1}}
        series = tracking["series"]
        series.setdefault("change-id", change_id(repository, branch, base))
        series["base-branch"] = base
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{section}.b4-tracking is invalid: remove it with 'git config --unset {section}.b4-tracking'"
        ) from error
    repository.git("config", "--local", f"{section}.b4-prep-cover-strategy", STRATEGY)
    text = json.dumps(tracking)
    repository.git("config", "--local", f"{section}.b4-tracking", text)


def change_id(repository: Repository, branch: str, base: str) -> str:
    """Return a b4 change-id: the day of the base, the branch, and a hash of base, branch and user."""
    commit = read_commit(repository, base)
    who = identity(repository, commit.committed)
    day = datetime.fromtimestamp(int(commit.committed.split()[0]), UTC)
    slug = re.sub(r"\W+", "-", branch).strip("-").lower()
    digest = hashlib.sha256(f"{base}\0{branch}\0{who.email}".encode()).hexdigest()
    return f"{day:%Y%m%d}-{slug}-{digest[:12]}"


def _get(repository: Repository, key: str) -> str:
    return repository.ask("config", "--local", "--get", key)[1].strip()
