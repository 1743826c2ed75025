# SPDX-License-Identifier: GPL-2.0
"""A branch as 'b4 prep' would have made it, with the cover letter in the branch's description.

See b4's documentation of prep-cover-strategy: what b4 knows of a branch stands in the
repository's configuration, and no commit is made for it.
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
    """The end of a cover letter that tells b4 whom to send it to."""
    own = joined(list(several))
    lines = [f"To: {address}" for address in own.to]
    return "".join(f"{line}\n" for line in [*lines, *(f"Cc: {a}" for a in own.cc)])


def prepare(repository: Repository, branch: str, base: str) -> None:
    """Tell b4 about a branch; what it noted there meanwhile, such as a revision, is kept.

    Raises UserError if it tracks the branch in another way.
    """
    section = f"branch.{branch}"
    strategy = _get(repository, f"{section}.b4-prep-cover-strategy") or STRATEGY
    if strategy != STRATEGY:
        raise UserError(
            f"b4 keeps the cover letter of {branch} as {strategy!r}: leave --b4 away, or name another branch"
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
            f"{section}.b4-tracking is not readable: remove it by 'git config --unset {section}.b4-tracking'"
        ) from error
    repository.git("config", "--local", f"{section}.b4-prep-cover-strategy", STRATEGY)
    text = json.dumps(tracking)
    repository.git("config", "--local", f"{section}.b4-tracking", text)


def change_id(repository: Repository, branch: str, base: str) -> str:
    """What b4 names a series by, in the form it uses: the base's day, the branch, a hash of these and the user."""
    commit = read_commit(repository, base)
    who = identity(repository, commit.committed)
    day = datetime.fromtimestamp(int(commit.committed.split()[0]), UTC)
    slug = re.sub(r"\W+", "-", branch).strip("-").lower()
    told = hashlib.sha256(f"{base}\0{branch}\0{who.email}".encode()).hexdigest()
    return f"{day:%Y%m%d}-{slug}-{told[:12]}"


def _get(repository: Repository, key: str) -> str:
    return repository.ask("config", "--local", "--get", key)[1].strip()
