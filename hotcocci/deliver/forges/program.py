# SPDX-License-Identifier: GPL-2.0
"""Requests to a forge's REST API by its own program, gh or glab, which the user has logged in."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from hotcocci.deliver.forges.kind import Forge, Kind
from hotcocci.errors import UserError
from hotcocci.layout import PROGRAM

# Seconds: a forge checks a new pull request for conflicts.
TIMEOUT = 300.0
# Pull requests per page: the largest number that all forges allow.
PAGE = 50
ADVICE = {
    "401": "log in again with '{program} auth login --hostname {host}'",
    "403": "check the permissions of {program}'s login and its rate limit",
    "404": "check that the repository exists and that {program}'s login has access to it",
    "409": "run the command again to update the existing one",
    "429": "wait, then run the command again",
}
WHAT = {"GET": "show", "POST": "open", "PATCH": "update", "PUT": "update"}
_CODE = re.compile(r"\(?HTTP (\d{3})\)?")


class ForgeError(UserError):
    """The forge returned an error or cannot be reached; the message says what to do."""


def call(
    forge: Forge, method: str, path: str, data: Mapping[str, Any] | None = None
) -> Any:
    """Send a request about pull requests of a repository; returns the answer.

    Raises ForgeError with the program's message if it fails.
    """
    program, host = forge.kind.PROGRAM, forge.host
    argv = ["api", "--hostname", host, "--method", method, path]
    if data is not None:
        argv += ["--input", "-", "--header", "Content-Type: application/json"]
    ran = _run(forge.kind, argv, "" if data is None else json.dumps(data))
    if ran.returncode == 0:
        return json.loads(ran.stdout)
    said = ran.stderr.removeprefix(f"{program}: ").split() + _details(ran.stdout)
    code = _CODE.search(ran.stderr)
    advice = ADVICE.get(code[1] if code else "", "fix this, then run the command again")
    raise ForgeError(
        f"{host} failed to {WHAT[method]} a pull request of {forge.name} "
        f"({' '.join(said) or 'no error message'}): {advice.format(program=program, host=host)}"
    )


def listed(forge: Forge, path: str, ask: Mapping[str, Any]) -> list[Any]:
    """Read all pages of a list. Raises ForgeError if the forge returns an error."""
    found: list[Any] = []
    page = 1
    while True:
        part = call(forge, "GET", f"{path}?{urlencode({**ask, 'page': page})}")
        found += part
        if len(part) < PAGE:
            return found
        page += 1


def _details(answer: str) -> list[str]:
    """The words of the messages below "errors" in GitHub's answer; gh prints only the one above."""
    try:
        return [
            word
            for each in json.loads(answer)["errors"]
            for word in each["message"].split()
        ]
    except (ValueError, LookupError, TypeError):
        return []


def is_logged_in(kind: Kind, host: str) -> bool:
    """Whether the program of a kind has a login for a host. Raises ForgeError if it is missing."""
    return _run(kind, ["auth", "status", "--hostname", host]).returncode == 0


def _run(
    kind: Kind, arguments: list[str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the program with the user's whole environment, which may have a token.

    Not in the tree: glab reads the configuration of a repository that it is called in.
    """
    try:
        return subprocess.run(
            [kind.PROGRAM, *arguments],
            cwd="/",
            env={**os.environ, "NO_COLOR": "1", "NO_PROMPT": "1", "PAGER": "cat"},
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT,
            check=False,
        )
    except FileNotFoundError as error:
        raise ForgeError(
            f"{kind.NAME} needs {kind.PROGRAM}, which is not installed: run '{PROGRAM} doctor'"
        ) from error
    except subprocess.TimeoutExpired as error:
        raise ForgeError(
            f"{kind.PROGRAM} took longer than {TIMEOUT:.0f} s: check the network, then run the command again"
        ) from error
