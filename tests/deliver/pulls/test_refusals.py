# SPDX-License-Identifier: GPL-2.0
"""Missing, unknown or forbidden input ends a run with one line that says what to do."""

from pathlib import Path

import pytest


def test_a_rejecting_hook_is_one_line(site, signed, run, capsys):
    words = signed(site)
    hook = Path(site.remote) / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    capsys.readouterr()
    assert run(*words, "--open") == 2
    message = capsys.readouterr().err.splitlines()[-1]
    assert "hot-lamps was not pushed to upstream: " in message
    assert "pre-receive hook declined" in message
    assert site.pulls() == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--output x --pull-requests upstream", "name it with --branch"),
        ("--branch hot --open", "needs --pull-requests: name a remote"),
        ("--branch hot --pull-requests up", "has no remote up: use"),
        ("--branch hot --pull-requests upstream", "does not name a repository on a forge"),
        ("--branch hot --pull-requests upstream --into next", "the remote upstream has no branch next"),
        ("--branch hot --pull-requests upstream --open", "2 of 2 patches lack a Signed-off-by"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(site, run, capsys, line, message):
    assert run(*line.split()) == 2
    assert message in capsys.readouterr().err.splitlines()[-1]
    assert site.pulls() == []


def test_nothing_is_pushed_without_a_login(git, site, signed, run, capsys):
    words = signed(site)
    with site.state() as state:
        state["login"] = ""
    assert run(*words, "--open") == 2
    host = site.web.removeprefix("https://")
    message = capsys.readouterr().err.splitlines()[-1]
    assert message.startswith(f"hotcocci: no login for {host}: run 'gh auth login")
    assert f"'{site.program} auth login --hostname {host}'" in message
    assert git("ls-remote", "--heads", "upstream").count("\n") == 0


# What a forge may answer, and how it is shown.
QUOTED = (
    ((429, "Retry later"), "(Retry later (HTTP 429)): wait, then run the"),
    ((403, "Forbidden"), "(Forbidden (HTTP 403)): check the permissions of g"),
    ((422, 'Branch "x"\n is odd'), '(Branch "x" is odd (HTTP 422)): fix this'),
)


@pytest.mark.forges
def test_errors_of_the_forge_are_quoted(site, signed, run, capsys):
    words = signed(site)
    for answer, message in QUOTED:
        with site.state() as state:
            state["refusals"]["POST"] = answer
        assert run(*words, "--open") == 2
        last = capsys.readouterr().err.splitlines()[-1]
        assert f"failed to open a pull request of {site.name} {message}" in last
    # The next run continues with the branches already pushed.
    with site.state() as state:
        state["refusals"].clear()
    assert run(*words, "--open") == 0
    assert [pull.state for pull in site.pulls()] == ["open", "open"]


@pytest.mark.slow
def test_one_whose_branch_was_deleted_is_in_the_way(git, site, signed, run, capsys):
    """Opened but neither recorded nor identifiable by branch: the next run still finds it."""
    words = signed(site, "sound")
    assert run(*words, "--open") == 0
    git("push", "-q", "upstream", ":hot-players")
    git("update-ref", "-d", "refs/hotcocci/pulls/hot")
    assert run(*words, "--open") == 2
    assert " already exists for " in capsys.readouterr().err.splitlines()[-1]
    assert run(*words, "--open") == 0
    assert len(site.pulls()) == 1


@pytest.mark.slow
def test_one_being_merged_is_not_updated(git, gitlab, signed, run, capsys):
    words = signed(gitlab, "sound")
    assert run(*words, "--open") == 0
    tips = git("ls-remote", "upstream")
    gitlab.edit(1, state="locked")
    git.amend("ALSA: player: Mine", "--signoff")
    assert run(*words, "--open") == 0
    assert "being merged, try again in a minute" in capsys.readouterr().out
    assert git("ls-remote", "upstream") == tips
    gitlab.edit(1, state="opened")
    assert run(*words, "--open") == 0
    assert gitlab.pulls()[0].title == "ALSA: player: Mine"


@pytest.mark.parametrize(
    ("forge", "said"),
    [("github", "GitHub allows 65536"), ("gitlab", "GitLab allows 1048576")],
)
def test_a_text_that_is_too_long_is_not_pushed(
    git, request, signed, run, capsys, forge, said
):
    site = request.getfixturevalue(forge)
    words = signed(site, "sound")
    long = "a" * int(said.split()[-1])
    git.amend(f"ALSA: player: Long\n\n{long}", "--signoff")
    assert run(*words, "--open") == 0
    assert f" characters, but {said}: shorten" in capsys.readouterr().out
    assert site.pulls() == []
    assert git("ls-remote", "--heads", "upstream").count("\n") == 0
