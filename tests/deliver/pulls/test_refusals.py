# SPDX-License-Identifier: GPL-2.0
"""Missing, unknown or forbidden input ends a run with one line that says what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from forge_site import Answer

Words = Callable[..., tuple[str, ...]]
Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def test_a_rejecting_hook_is_one_line(
    stand_in: Any, signed: Words, run: Run, capsys: Capture
) -> None:
    words = signed(stand_in)
    hook = Path(stand_in.remote) / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    capsys.readouterr()
    assert run(*words, "--open") == 2
    message = capsys.readouterr().err.splitlines()[-1]
    assert "hot-lamps was not pushed to upstream: " in message
    assert "pre-receive hook declined" in message
    assert stand_in.pulls() == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--output", "x", "--pull-requests", "upstream"), "name it with --branch"),
        (("--branch", "hot", "--open"), "needs --pull-requests: name a remote"),
        (("--branch", "hot", "--pull-requests", "up"), "has no remote up: use"),
        (
            ("--branch", "hot", "--pull-requests", "upstream"),
            "does not name a repository on a forge",
        ),
        (
            ("--branch", "hot", "--pull-requests", "upstream", "--into", "next"),
            "the remote upstream has no branch next",
        ),
        (
            ("--branch", "hot", "--pull-requests", "upstream", "--open"),
            "2 of 2 patches lack a Signed-off-by",
        ),
    ],
)
def test_bad_input_is_one_line(
    stand_in: Any, run: Run, capsys: Capture, arguments: Sequence[str], message: str
) -> None:
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err.splitlines()[-1]
    assert stand_in.pulls() == []


def test_a_base_missing_from_the_remote(
    git: Any, stand_in: Any, run: Run, capsys: Capture
) -> None:
    git.commit("fs/new.c", "", "fs: Not pushed")
    words = ("--branch", "hot", "--pull-requests", "upstream", *stand_in.options)
    assert run(*words) == 2
    assert "HEAD is not in master of upstream" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("forge", "variable", "message"),
    [
        ("github", "GH_ENTERPRISE_TOKEN", "(401 Bad credentials): provide a token"),
        ("gitlab", "GITLAB_TOKEN", "(401 401 Unauthorized): provide a token"),
    ],
)
def test_a_wrong_token_is_reported_but_not_printed(
    request: pytest.FixtureRequest,
    signed: Words,
    run: Run,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    forge: str,
    variable: str,
    message: str,
) -> None:
    words = signed(request.getfixturevalue(forge))
    monkeypatch.setenv(variable, "wrong-secret")
    assert run(*words, "--open") == 2
    shown = capsys.readouterr()
    assert message in shown.err.splitlines()[-1]
    assert "wrong-secret" not in shown.out + shown.err


def test_a_token_of_another_gitlab_is_not_sent(
    gitlab: Any,
    signed: Words,
    run: Run,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A token set for gitlab.com, or for a host with GITLAB_HOST, is used for that host only."""
    words = signed(gitlab)
    monkeypatch.delenv("GITLAB_HOST")
    assert run(*words, "--open") == 2
    message = capsys.readouterr().err.splitlines()[-1]
    assert message.startswith(f"hotcocci: no token found for {gitlab.web}")
    monkeypatch.setenv("GL_HOST", gitlab.web.removeprefix("http://"))
    assert run(*words, "--open") == 0
    assert len(gitlab.pulls()) == 2


def test_a_gitlab_token_from_the_credential_helper(
    git: Any,
    gitlab: Any,
    signed: Words,
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = signed(gitlab)
    monkeypatch.delenv("GITLAB_TOKEN")
    store = tmp_path / "credentials"
    store.write_text(gitlab.web.replace("//", f"//oauth2:{gitlab.token}@") + "\n")
    git("config", "--global", "credential.helper", f"store --file={store}")
    assert run(*words, "--open") == 0
    assert len(gitlab.pulls()) == 2


# What a forge may answer, and how it is told.
QUOTED = (
    (Answer(429, "Retry later\n"), "(429 no error message): wait, then run the"),
    (
        Answer(403, '{"message": "403 Forbidden"}'),
        "(403 403 Forbidden): check the token",
    ),
    (
        Answer(422, '{"message": ["Source branch \\"x\\" does not exist"]}'),
        '(422 Source branch "x" does not exist): fix this',
    ),
    (
        Answer(400, '{"message": {"title": ["is too long"], "base": ["is odd"]}}'),
        "(400 title is too long; base is odd): fix this",
    ),
    (Answer(500, '{"error": "A mishap"}'), "(500 A mishap): fix this"),
)


def test_errors_of_the_forge_are_quoted(
    stand_in: Any, signed: Words, run: Run, capsys: Capture
) -> None:
    words = signed(stand_in)
    for answer, message in QUOTED:
        stand_in.world.refusals["POST"] = answer
        assert run(*words, "--open") == 2
        last = capsys.readouterr().err.splitlines()[-1]
        assert f"failed to open a pull request of {stand_in.name} {message}" in last
    # The next run continues with the branches already pushed.
    stand_in.world.refusals.clear()
    assert run(*words, "--open") == 0
    assert [pull.state for pull in stand_in.pulls()] == ["open", "open"]


def test_a_missing_project(
    gitlab: Any, signed: Words, run: Run, capsys: Capture
) -> None:
    words = signed(gitlab)
    there = words.index("--forge") + 1
    other = (*words[:there], f"{gitlab.web}/lamps/other", *words[there + 1 :])
    assert run(*other, "--open") == 2
    message = capsys.readouterr().err.splitlines()[-1]
    assert (
        "pull request of lamps/other (404 404 Project Not Found): check that" in message
    )


def test_one_whose_branch_was_deleted_is_in_the_way(
    git: Any, stand_in: Any, signed: Words, run: Run, capsys: Capture
) -> None:
    """Opened but neither recorded nor identifiable by branch: the next run still finds it."""
    words = signed(stand_in, "sound")
    assert run(*words, "--open") == 0
    git("push", "-q", "upstream", ":hot-players")
    git("update-ref", "-d", "refs/hotcocci/pulls/hot")
    assert run(*words, "--open") == 2
    assert " already exists for " in capsys.readouterr().err.splitlines()[-1]
    assert run(*words, "--open") == 0
    assert len(stand_in.pulls()) == 1


def test_one_being_merged_is_not_updated(
    git: Any, gitlab: Any, signed: Words, run: Run, capsys: Capture
) -> None:
    words = signed(gitlab, "sound")
    assert run(*words, "--open") == 0
    tips = git("ls-remote", "upstream")
    gitlab.world.pulls[1]["state"] = "locked"
    git("switch", "-q", "hot")
    git("commit", "-q", "--amend", "--signoff", "-m", "ALSA: player: Mine")
    git("switch", "-q", "master")
    assert run(*words, "--open") == 0
    assert "being merged, try again in a minute" in capsys.readouterr().out
    assert git("ls-remote", "upstream") == tips
    gitlab.world.pulls[1]["state"] = "opened"
    assert run(*words, "--open") == 0
    assert gitlab.pulls()[0].title == "ALSA: player: Mine"


@pytest.mark.parametrize(("forge", "most"), [("github", 65536), ("gitlab", 1 << 20)])
def test_a_text_that_is_too_long_is_not_pushed(
    git: Any,
    request: pytest.FixtureRequest,
    signed: Words,
    run: Run,
    capsys: Capture,
    forge: str,
    most: int,
) -> None:
    site = request.getfixturevalue(forge)
    words = signed(site, "sound")
    git("switch", "-q", "hot")
    message = f"ALSA: player: Long\n\n{'a' * most}"
    git("commit", "-q", "--amend", "--signoff", "-F", "-", stdin=message)
    git("switch", "-q", "master")
    assert run(*words, "--open") == 0
    message = capsys.readouterr().out
    assert (
        f" characters, but {['GitLab', 'GitHub'][forge == 'github']} allows {most}: shorten"
        in message
    )
    assert site.pulls() == []
    assert git("ls-remote", "--heads", "upstream").count("\n") == 0
