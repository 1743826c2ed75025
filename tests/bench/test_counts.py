# SPDX-License-Identifier: GPL-2.0
"""What the operations print is read and compared."""

from hotcocci.bench import counts
from hotcocci.output import bench as output

PRINTED = [
    *["calls epoll_wait 64 64"] * 4,
    *["calls getppid 1 1"] * 4,
    "absent drm_version 1 2",
    "calls ptrace_peek 1 8",
    "ended ptrace_peek 1 14",
    "done",
]
# How often the instructions at two addresses ran
RAN = {
    ("epoll_wait", 64): {0xFFFFFFFF81000000: 64, 0xFFFFFFFF81000004: 9022},
    ("getppid", 1): {0xFFFFFFFF81000000: 228},
    ("ptrace_peek", 1): {0xFFFFFFFF81000000: 3},
}
MADE = "QEMU icount, 6.12, gcc 12.2.0"
BEFORE = counts.instructions(PRINTED, RAN, MADE)
AFTER = counts.instructions(
    PRINTED, RAN | {("epoll_wait", 64): {0xFFFFFFFF81000000: 8319}}, MADE
)


def test_instructions_of_a_call_are_all_that_ran():
    table = BEFORE
    assert table.counts["epoll_wait", 64].value == 9086
    assert table.counts["epoll_wait", 64].result == 64
    assert table.counts["getppid", 1].value == 228
    assert ("ptrace_peek", 1) not in table.counts
    assert table.missing == {
        ("drm_version", 1): "cannot run: No such file or directory",
        ("ptrace_peek", 1): "ends with status 14",
    }


def test_differences_are_per_unit():
    changed = {d.row: d for d in counts.differences(BEFORE, AFTER)}
    assert changed["epoll_wait", 64].per_unit == (8319 - 9086) / 64
    assert changed["getppid", 1].per_unit == 0
    # Eight bytes are one access, so that is said of the call.
    assert changed["epoll_wait", 64].per("byte") == "-767 per call"
    assert output.changes(BEFORE, AFTER, (), everything=False) == [
        "operation   size  instructions before  after         per unit",
        "epoll_wait  64    9086                 8319   -8.4%  -12.0 per unit",
        "1 of 2 operations changed, 1 the same",
        MADE,
        "drm_version 1 cannot run: No such file or directory",
        "ptrace_peek 1 ends with status 14",
    ]


def test_medians_of_a_machine_differ_only_beyond_their_spread():
    lines = ["rate 2000000000", "count nothing 0 0 10 10 10", "count f 1 0 90 110 130"]
    table = counts.nanoseconds(lines, "here")
    assert table.counts["f", 1].value == 50
    slower = [line.replace("130", "150") for line in lines]
    (same,) = counts.differences(table, counts.nanoseconds(slower, "there"))
    assert not same.is_real
    much = [line.replace(" 90 110 130", " 900 910 920") for line in lines]
    (grown,) = counts.differences(table, counts.nanoseconds(much, "there"))
    assert grown.is_real


def test_operations_that_no_longer_work_are_said():
    assert counts.broken(BEFORE, AFTER) == []
    wrong = [line.replace("getppid 1 1", "getppid 1 -14") for line in PRINTED]
    wrong.insert(1, "ended epoll_wait 64 11")
    after = counts.instructions(wrong, RAN, MADE)
    assert counts.broken(BEFORE, after) == [
        "epoll_wait 64 ends with status 11",
        "getppid 1 returns -14, not 1",
    ]
    assert len(counts.broken(BEFORE, after, {"getppid"})) == 1


def test_faults_that_differ_are_both_shown():
    old = ["fault f 1 before 3 -1 14 aa", "fault f 1 before 4 0 0 bb", "done"]
    new = ["fault f 1 before 3 -1 14 aa", "fault f 1 before 4 -1 14 bb", "done"]
    assert counts.faults(old, new) == (2, [(old[1], new[1])])
    assert counts.faults(old, old) == (2, [])
    bytes_ = [old[0].replace("aa", "cc"), old[1], "done"]
    assert counts.faults(old, bytes_) == (2, [(old[0], bytes_[0])])
    assert counts.faults(old, bytes_, {"f"}) == (2, [])
