# SPDX-License-Identifier: GPL-2.0
"""Detecting the kind of forge on a host, and its path there."""

from __future__ import annotations

from typing import Any

import pytest

from hotcocci.deliver import forge
from hotcocci.deliver.forges.http import ForgeError


def found(url: str) -> tuple[str, str, str, str]:
    where = forge.place(url)
    assert where is not None
    one = forge.find(where)
    return one.kind.NAME, one.web, one.api, one.name


def test_a_github(github: Any) -> None:
    api = f"{github.web}/api/v3"
    expected = ("GitHub", github.web, api, "ada/linux")
    assert found(f"{github.web}/ada/linux.git") == expected


@pytest.mark.parametrize("name", ["ada/linux", "lamps/kernel/linux", "a/b/c/d/linux"])
def test_a_gitlab_has_groups_in_groups(gitlab: Any, name: str) -> None:
    api = f"{gitlab.web}/api/v4"
    assert found(f"{gitlab.web}/{name}.git") == ("GitLab", gitlab.web, api, name)


def test_a_gitlab_in_a_folder(gitlab: Any) -> None:
    gitlab.world.folder = "/forge"
    web = f"{gitlab.web}/forge"
    expected = ("GitLab", web, f"{web}/api/v4", "lamps/kernel/linux")
    assert found(f"{web}/lamps/kernel/linux") == expected


def test_a_gitea(gitea: Any) -> None:
    api = f"{gitea.web}/api/v1"
    expected = ("Gitea or Forgejo", gitea.web, api, "ada/linux")
    assert found(gitea.remote) == expected


def test_detection_sends_no_token(gitlab: Any) -> None:
    found(f"{gitlab.web}/lamps/kernel/linux")
    assert gitlab.world.requests
    assert gitlab.world.tokens == []


def test_a_host_that_is_not_a_forge(github: Any) -> None:
    github.world.folder = "/elsewhere"
    with pytest.raises(ForgeError) as caught:
        found(f"{github.web}/ada/linux")
    assert str(caught.value) == (
        f"{github.web}/ada/linux is not a repository on a supported forge "
        "(Gitea or Forgejo, GitHub, GitLab): name its page with --forge"
    )


def test_a_host_that_does_not_answer() -> None:
    with pytest.raises(ForgeError, match="on another host, name it with --forge$"):
        found("http://127.0.0.1:1/ada/linux")
