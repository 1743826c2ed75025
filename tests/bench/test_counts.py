# SPDX-License-Identifier: GPL-2.0
"""What the operations print is read and compared."""

from __future__ import annotations

from hotcocci.bench import counts
from hotcocci.output import bench as output

BEFORE = [
    "count nothing 0 0 7 7 7",
    "count epoll_wait 64 64 9093 9093 9900",
    "count getppid 1 1 235 235 235",
    "absent drm_version 1 2",
    "ended ptrace_peek 1 14",
    "done",
]
AFTER = [line.replace("9093", "8326") for line in BEFORE]


MADE = "QEMU icount, 6.12, gcc 12.2.0"


def test_the_least_of_all_tries_counts_without_the_cost_of_counting() -> None:
    table = counts.instructions(BEFORE, MADE)
    assert table.counts["epoll_wait", 64].value == 9086
    assert table.counts["getppid", 1].value == 228
    assert table.missing == {
        ("drm_version", 1): "this kernel cannot: No such file or directory",
        ("ptrace_peek", 1): "ended with status 14",
    }


def test_differences_are_per_unit() -> None:
    tables = counts.instructions(BEFORE, MADE), counts.instructions(AFTER, MADE)
    changed = {d.row: d.per_unit for d in counts.differences(*tables)}
    assert changed["epoll_wait", 64] == (8319 - 9086) / 64
    assert changed["getppid", 1] == 0
    assert output.changes(*tables, (), everything=False) == [
        "operation   size  instructions before  after         per unit",
        "epoll_wait  64    9086                 8319   -8.4%  -12.0 per unit",
        "1 of 2 operations changed, 1 the same",
        MADE,
        "drm_version 1: this kernel cannot: No such file or directory",
        "ptrace_peek 1: ended with status 14",
    ]


def test_medians_of_a_machine_differ_only_beyond_their_spread() -> None:
    lines = ["rate 2000000000", "count nothing 0 0 10 10 10", "count f 1 0 90 110 130"]
    table = counts.nanoseconds(lines, "here")
    assert table.counts["f", 1].value == 50
    slower = [line.replace("130", "150") for line in lines]
    (same,) = counts.differences(table, counts.nanoseconds(slower, "there"))
    assert not same.is_real
    much = [line.replace(" 90 110 130", " 900 910 920") for line in lines]
    (grown,) = counts.differences(table, counts.nanoseconds(much, "there"))
    assert grown.is_real


def test_a_table_is_read_back() -> None:
    table = counts.instructions(BEFORE, MADE)
    assert output.read(output.document(table), "table") == table


def test_only_what_grew_by_more_than_allowed_is_named() -> None:
    before, after = (counts.instructions(each, MADE) for each in (AFTER, BEFORE))
    assert output.grown(before, after, 766) == [
        "epoll_wait 64 grew by 767 instructions, more than 766"
    ]
    assert output.grown(before, after, 767) == []
    assert output.grown(before, after, None) == []
    assert output.grown(after, before, 0) == []


def test_faults_that_differ_are_both_shown() -> None:
    old = ["fault f 1 before 3 -1 14 aa", "fault f 1 before 4 0 0 bb", "done"]
    new = ["fault f 1 before 3 -1 14 aa", "fault f 1 before 4 -1 14 bb", "done"]
    assert counts.faults(old, new) == (2, [(old[1], new[1])])
    assert counts.faults(old, old) == (2, [])
    bytes_ = [old[0].replace("aa", "cc"), old[1], "done"]
    assert counts.faults(old, bytes_) == (2, [(old[0], bytes_[0])])
    assert counts.faults(old, bytes_, {"f"}) == (2, [])
