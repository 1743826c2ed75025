# SPDX-License-Identifier: GPL-2.0
"""Copies stay whole in generic code of trees whose arm64 has no windows (6.1)."""

import json
from pathlib import Path

import pytest
from case_files import FIXTURES, read_cases
from case_tool import call, make_tree

pytestmark = pytest.mark.whole

WINDOWS = "#define user_access_begin user_access_begin\n"
CASES = [
    ("UA202", "struct-label", "no-gain-arch"),
    ("UA203", "switch-commands", "no-gain-arch"),
    # snd_pcm_xferi_frames_ioctl(): a put_user() and a copy would open user access three times.
    ("UA101", "copy-whole", "call-between"),
]
HOT = ("--profile", str(FIXTURES / "hot.txt"))


@pytest.mark.parametrize("code, name, reason", CASES)
@pytest.mark.parametrize("windows", [False, True])
def test_copies_are_taken_apart_with_windows_only(
    code, name, reason, windows, tmp_path
):
    assert reasons(code, name, windows, tmp_path, *HOT) == {None if windows else reason}


def test_what_no_heat_would_change_is_said_first(tmp_path):
    assert reasons("UA202", "struct-label", False, tmp_path) == {"no-gain-arch"}


def reasons(
    code: str, name: str, windows: bool, tmp_path: Path, *options: str
) -> set[str | None]:
    """The reasons of a case's findings in a tree whose arm64 has windows, or has not."""
    case = next(c for c in read_cases() if (c.code, c.name) == (code, name))
    root = tmp_path / "tree"
    make_tree("classic", [case], root)
    header = root / "arch/arm64/include/asm/uaccess.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(WINDOWS if windows else "/* none */\n", encoding="utf-8")
    words = ["--all", "--rule", code, "--format", "json", *options]
    words += ["--cache-dir", str(tmp_path / "cache")]
    output = call(["lint", str(root), *words])
    found = json.loads(output)["findings"]
    return {each["reason"] for each in found if each["file"] == case.path}
