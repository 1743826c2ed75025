# SPDX-License-Identifier: GPL-2.0
"""Profiles in other forms than perf report and perf script: recordings, screens, folded stacks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hotcocci.engines.perf.reading import read
from hotcocci.errors import UserError

TEXTS = Path(__file__).parent / "perf_texts"


@pytest.fixture
def shares(tmp_path: Path):
    def read_shares(text: str) -> dict[str, float]:
        path = tmp_path / "profile.txt"
        path.write_text(text)
        return dict(read(path).shares)

    return read_shares


RECORDED = {"do_syscall_64": 25.0, "link_path_walk": 50.0}


def test_samples_of_one_line_with_chosen_fields(shares) -> None:
    lines = [
        "find cpu-clock: ffffffff812e8919 link_path_walk+0x3d9 ([kernel.kallsyms])",
        "find cpu-clock: ffffffff812e8919 link_path_walk+0x3d9 ([kernel.kallsyms])",
        "find cpu-clock: ffffffff810e8919 do_syscall_64 ([kernel.kallsyms])",
        "find cpu-clock: 7fb1cc128919 operator new(unsigned long) (/usr/lib/libc.so.6)",
    ]
    assert shares("\n".join(lines) + "\n") == RECORDED
    for unwanted in ("cpu-clock: ", "find cpu-clock: "):
        text = "\n".join(line.replace(unwanted, "   ") for line in lines)
        assert shares(text) == RECORDED


def test_folded_stacks(shares) -> None:
    marked = (
        "find;main_[i];do_syscall_64_[k];link_path_walk_[k] 1\n"
        "find;entry_[k];do_syscall_64_[k];link_path_walk_[k];get_link_[i] 1\n"
        "find;do_syscall_64_[k] 1\n"
        "find;malloc 1\n"
    )
    assert shares(marked) == {**RECORDED, "get_link": 25.0}
    plain = "find;do_syscall_64;link_path_walk 2\nfind;do_syscall_64 1\nfind;[unknown];x 1\n"
    assert shares(plain) == {**RECORDED, "x": 25.0}


def test_helpers_of_folded_stacks_count_for_their_caller(shares) -> None:
    assert shares("find;do_syscall_64_[k];filldir64_[k];__put_user_8_[k] 4\n") == {
        "__put_user_8": 100.0,
        "filldir64": 100.0,
    }


def test_the_last_screen_of_perf_top(shares) -> None:
    def screen(share: str) -> str:
        return (
            "\x1b[H\x1b[2J\n   PerfTop:    1009 irqs/sec  kernel:95.5%  exact:  0.0% "
            "lost: 0/0 drop: 0/0 [4000Hz cycles],  (all, 2 CPUs)\n"
            f"{'-' * 79}\n\n    {share}%  [kernel]          [k] link_path_walk\n"
            "     4.62%  libc.so.6         [.] malloc\n"
        )

    assert shares(screen("48.00")) == {"link_path_walk": 48.0}
    assert shares(screen("48.00") + screen("50.00")) == {"link_path_walk": 50.0}


def test_a_recording_is_read_by_perf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = tmp_path / "perf.data"
    recording.write_bytes(b"PERFILE2\0\0")
    programs = tmp_path / "bin"
    programs.mkdir()
    for needed in ("setpriv", "cat", "sh"):
        (programs / needed).symlink_to(shutil.which(needed) or needed)
    monkeypatch.setenv("PATH", str(programs))
    with pytest.raises(UserError, match="perf, which reads this recording, is not"):
        read(recording)
    perf = programs / "perf"
    perf.write_text(f"#!/bin/sh\ncat '{TEXTS / 'find_script.txt'}'\n")
    perf.chmod(0o755)
    assert read(recording) == read(TEXTS / "find_script.txt")
    perf.write_text("#!/bin/sh\necho 'incompatible file format' >&2\nexit 1\n")
    with pytest.raises(UserError, match="fails on this recording: incompatible file"):
        read(recording)
