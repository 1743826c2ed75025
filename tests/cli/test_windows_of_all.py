# SPDX-License-Identifier: GPL-2.0
"""Generic code is rewritten only where the architectures of the tree have windows."""

import json
from pathlib import Path

import pytest

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"
ARM64 = "arch/arm64/include/asm/uaccess.h"


@pytest.mark.whole
@pytest.mark.parametrize("windows", [True, False])
def test_a_copy_beside_other_accesses_stays_one_where_arm64_has_no_windows(
    small_kernel, run, capsys, windows
):
    """snd_pcm_xferi_frames_ioctl() of 6.1: a put_user() and a copy would open user access three times."""
    root = small_kernel({"fs/a.c": (FIXTURES / "UA101/copy-whole.c").read_text()})
    if not windows:
        (root / ARM64).unlink()
        (root / ARM64).write_text("/* access_ok() alone */\n")
    run("lint", root, "--rule", "UA101", "--show", "all", "--format", "json")
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert bool([f for f in findings if f["verdict"] == "rewrite"]) is windows
