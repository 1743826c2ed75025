# SPDX-License-Identifier: GPL-2.0
"""Requests to a forge's REST API, with advice for its errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import requests

from hotcocci.deliver.forges.kind import Forge
from hotcocci.errors import UserError

# Seconds to connect and to wait for an answer: a forge checks a new pull request for conflicts.
TIMEOUT = (20.0, 120.0)
# Pull requests per page: the largest number that all forges allow.
PAGE = 50
ADVICE = {
    301: "the repository was renamed: give its page with --forge",
    401: "provide a token, see --help",
    403: "check the token's permissions and its rate limit",
    404: "check that the repository exists and that the token has access to it",
    409: "run the command again to update the existing one",
    429: "wait, then run the command again",
}
WHAT = {"GET": "show", "POST": "open", "PATCH": "update", "PUT": "update"}


class ForgeError(UserError):
    """The forge returned an error or cannot be reached; the message says what to do."""


class Unreachable(ForgeError):
    """There was no answer."""


def call(
    forge: Forge, method: str, path: str, data: Mapping[str, Any] | None = None
) -> Any:
    """Send a request about pull requests of a repository; returns the answer.

    Raises ForgeError with the forge's message if it returns an error.
    """
    code, answer = request(method, f"{forge.api}{path}", forge.auth, data)
    if 200 <= code < 300 and answer is not None:
        return answer
    said = " ".join(_said(answer).split()) or "no error message"
    advice = ADVICE.get(code, "fix this, then run the command again")
    host = urlsplit(forge.api).netloc
    raise ForgeError(
        f"{host} failed to {WHAT[method]} a pull request of {forge.name} ({code} {said}): {advice}"
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


def request(
    method: str,
    url: str,
    auth: Mapping[str, str],
    data: Mapping[str, Any] | None = None,
) -> tuple[int, Any]:
    """Send a request; returns the status and the JSON of the answer, None if it is not JSON.

    Raises Unreachable if there is no answer.
    """
    try:
        with requests.Session() as session:
            # Ignore credentials in .netrc.
            session.auth = lambda request: request
            answer = session.request(
                method,
                url,
                json=data,
                headers={"Accept": "application/json", **auth},
                timeout=TIMEOUT,
                allow_redirects=False,
            )
    except requests.RequestException as error:
        host = urlsplit(url).netloc
        raise Unreachable(
            f"{host} cannot be reached ({type(error).__name__}): check the network, then run the command again"
        ) from error
    try:
        return answer.status_code, answer.json()
    except ValueError:
        return answer.status_code, None


def _said(answer: Any) -> str:
    """Return the messages in an error, in any of the forms that forges use.

    GitHub: ``{"message": "…", "errors": [{"message": "…"}]}``; GitLab: ``{"message": ["…"]}``,
    ``{"message": {"title": ["…"]}}`` or ``{"error": "…"}``.
    """
    if isinstance(answer, str):
        return answer
    if isinstance(answer, list):
        return "; ".join(filter(None, map(_said, answer)))
    if not isinstance(answer, dict):
        return ""
    keys = ("message", "error", "error_description", "errors")
    known = [answer[key] for key in keys if answer.get(key)]
    if known:
        return _said(known)
    return "; ".join(f"{key} {_said(value)}" for key, value in answer.items())
