# SPDX-License-Identifier: GPL-2.0
"""Requests to a REST API that speaks JSON, and what its refusals mean to the user."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import requests

from hotcocci.deliver.forges.kind import Forge
from hotcocci.errors import UserError

# Seconds, to be connected and to be answered. A forge that makes a pull request of a kernel looks
# for conflicts first.
TIMEOUT = (20.0, 120.0)
# How many pull requests are listed at once: the most that every kind allows.
PAGE = 50
ADVICE = {
    301: "it has another name now: give its page by --forge",
    401: "give a token, see --help",
    403: "see whether the token may do that, and how often",
    404: "see whether the repository is there, and the token may see it",
    409: "run the command again, which goes on with the one that is there",
    429: "wait, and run the command again",
}
WHAT = {"GET": "show", "POST": "open", "PATCH": "change", "PUT": "change"}


class ForgeError(UserError):
    """The forge refused, or cannot be reached; the message says what to do."""


class Unreachable(ForgeError):
    """Nothing answers at all."""


def call(
    forge: Forge, method: str, path: str, told: Mapping[str, Any] | None = None
) -> Any:
    """What a forge answers about the pull requests of a repository.

    Raises ForgeError with what it says if it refuses.
    """
    code, answer = request(method, f"{forge.api}{path}", forge.auth, told)
    if 200 <= code < 300 and answer is not None:
        return answer
    said = " ".join(_said(answer).split()) or "without a word"
    advice = ADVICE.get(code, "put that right, and run the command again")
    host = urlsplit(forge.api).netloc
    raise ForgeError(
        f"{host} does not {WHAT[method]} a pull request of {forge.name} ({code} {said}): {advice}"
    )


def listed(forge: Forge, path: str, ask: Mapping[str, Any]) -> list[Any]:
    """All that a forge lists, page by page. Raises ForgeError if it refuses."""
    found: list[Any] = []
    page = 1
    while True:
        told = call(forge, "GET", f"{path}?{urlencode({**ask, 'page': page})}")
        found += told
        if len(told) < PAGE:
            return found
        page += 1


def request(
    method: str,
    url: str,
    auth: Mapping[str, str],
    told: Mapping[str, Any] | None = None,
) -> tuple[int, Any]:
    """The status of an answer, and what it holds as JSON, None if it is none.

    Raises Unreachable if there is no answer.
    """
    try:
        with requests.Session() as session:
            # A .netrc must not decide who one is.
            session.auth = lambda request: request
            answer = session.request(
                method,
                url,
                json=told,
                headers={"Accept": "application/json", **auth},
                timeout=TIMEOUT,
                allow_redirects=False,
            )
    except requests.RequestException as error:
        host = urlsplit(url).netloc
        raise Unreachable(
            f"{host} cannot be reached ({type(error).__name__}): look at the network, and run the command again"
        ) from error
    try:
        return answer.status_code, answer.json()
    except ValueError:
        return answer.status_code, None


def _said(told: Any) -> str:
    """The sentences of an answer that refuses, whichever way a forge wraps them.

    GitHub: ``{"message": "…", "errors": [{"message": "…"}]}``; GitLab: ``{"message": ["…"]}``,
    ``{"message": {"title": ["…"]}}`` or ``{"error": "…"}``.
    """
    if isinstance(told, str):
        return told
    if isinstance(told, list):
        return "; ".join(filter(None, map(_said, told)))
    if not isinstance(told, dict):
        return ""
    keys = ("message", "error", "error_description", "errors")
    known = [told[key] for key in keys if told.get(key)]
    if known:
        return _said(known)
    return "; ".join(f"{key} {_said(value)}" for key, value in told.items())
