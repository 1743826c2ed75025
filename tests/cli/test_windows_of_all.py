# SPDX-License-Identifier: GPL-2.0
"""Generic code is rewritten only where the architectures of the tree have windows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Make = Callable[..., Path]
Run = Callable[..., int]

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"
ARM64 = "arch/arm64/include/asm/uaccess.h"


@pytest.mark.whole
@pytest.mark.parametrize("windows", [True, False])
def test_a_copy_stays_one_where_arm64_has_no_windows(
    small_kernel: Make, run: Run, capsys: pytest.CaptureFixture[str], windows: bool
) -> None:
    """As in 6.1: each member would open and close user access there."""
    case = (FIXTURES / "UA202/struct-read.c").read_text()
    root = small_kernel({"fs/a.c": case})
    header = root / ARM64
    if not windows:
        header.unlink()
        header.write_text("/* access_ok() alone */\n")
    words = ["--rule", "UA202", "--profile", FIXTURES / "hot.txt", "--all"]
    run("lint", root, *words, "--format", "json")
    findings = json.loads(capsys.readouterr().out)["findings"]
    reasons = {f["reason"] for f in findings if f["rule"] == "UA202"}
    assert ("no-gain-arch" in reasons) is not windows
    rewritten = [f for f in findings if f["verdict"] == "rewrite"]
    assert bool([f for f in rewritten if f["rule"] == "UA202"]) is windows


@pytest.mark.whole
@pytest.mark.parametrize("windows", [True, False])
def test_so_does_one_beside_other_accesses(
    small_kernel: Make, run: Run, capsys: pytest.CaptureFixture[str], windows: bool
) -> None:
    """snd_pcm_xferi_frames_ioctl() of 6.1: a put_user() and a copy would open user access three times."""
    root = small_kernel({"fs/a.c": (FIXTURES / "UA101/copy-whole.c").read_text()})
    if not windows:
        (root / ARM64).unlink()
        (root / ARM64).write_text("/* access_ok() alone */\n")
    run("lint", root, "--rule", "UA101", "--show", "all", "--format", "json")
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert bool([f for f in findings if f["verdict"] == "rewrite"]) is windows
