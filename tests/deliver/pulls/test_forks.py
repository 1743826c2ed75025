# SPDX-License-Identifier: GPL-2.0
"""Pull requests from a fork, under any name."""

import pytest

from hotcocci.deliver import forge


@pytest.fixture
def reached(git, tmp_path, program):
    """Add the remote "mine", a repository of that name on an ssh host."""
    # ssh runs locally: ssh HOST "git-receive-pack '/PATH'".
    repository = f'exec git "${{1#git-}}" "{tmp_path}$2"'
    ssh = program("ssh", f'for last; do :; done\neval "set -- $last"\n{repository}')
    git("config", "--global", "core.sshCommand", str(ssh))
    git("config", "--global", "ssh.variant", "ssh")

    def make(name):
        git("init", "-q", "--bare", str(tmp_path / f"{name}.git"))
        git("remote", "add", "mine", f"ssh://git@forge.example/{name}.git")

    return make


def heads(git, name):
    lines = git("ls-remote", "--heads", name).splitlines()
    return [line.split("/")[-1] for line in lines]


@pytest.mark.parametrize(
    ("kind", "fork"),
    [
        # A fork in the same organisation.
        ("github", "ada/kernel"),
        ("gitlab", "bob/trees/kernel"),
    ],
)
def test_from_a_fork(git, request, signed, run, reached, kind, fork):
    site = request.getfixturevalue(kind)
    with site.state() as state:
        state["forks"].append(fork)
    reached(fork)
    words = signed(site, "sound")
    assert run(*words, "--fork", "mine", "--open") == 0
    (pull,) = site.pulls()
    assert (pull.source, pull.branch) == (fork, "hot-players")
    assert pull.into == "master"
    assert heads(git, "upstream") == ["master"]
    assert heads(git, "mine") == ["hot-players"]
    # Also found again by its branch.
    git("update-ref", "-d", "refs/hotcocci/pulls/hot")
    assert run(*words, "--fork", "mine", "--open") == 0
    assert site.pulls() == [pull]


@pytest.mark.slow
def test_a_fork_is_distinguished_from_its_source(
    git, site, signed, run, reached, capsys, monkeypatch
):
    """Found with and without a record: on GitHub both belong to one organisation."""
    monkeypatch.setattr(forge, "PAGE", 1)
    with site.state() as state:
        state["forks"].append("ada/kernel")
    reached("ada/kernel")
    words = signed(site, "sound")
    assert run(*words, "--open") == 0
    assert run(*words, "--fork", "mine", "--open") == 0
    assert [pull.source for pull in site.pulls()] == [site.name, "ada/kernel"]
    for _ in range(2):
        for number, more in ((1, ()), (2, ("--fork", "mine"))):
            capsys.readouterr()
            assert run(*words, *more, "--open") == 0
            done = capsys.readouterr().out.splitlines()[-1].split()
            assert done[:3] == ["up", "to", "date:"]
            assert done[3].endswith(f"/{number}")
        git("update-ref", "-d", "refs/hotcocci/pulls/hot")
    assert len(site.pulls()) == 2
