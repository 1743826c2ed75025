# SPDX-License-Identifier: GPL-2.0
"""benchmarks/whole.py: what programs print is compared, whatever numbers their processes have."""

from whole import cut, said_by


def test_the_numbers_of_processes_do_not_differ():
    own, again = (
        said_by(
            [
                f"rlimits: (pid={pid}): started",
                f"# {pid}[{pid % 2}] unshare(): 0",
                f"stress: stress-ng: info:  [{pid}] 1 access",
            ]
        )
        for pid in (4711, 4713)
    )
    assert own == again and len(own) == 3
    lines = ["mq: 3 messages", "mq: 4 messages"]
    assert said_by(lines) == {"mq 0": "3 messages", "mq 1": "4 messages"}


def test_a_program_that_does_not_run_to_its_end_is_named():
    assert cut("trinity status: 11") == "trinity was killed by signal 11"
    assert cut("net.tap status: -1") == "net.tap took too long"
    assert cut("mq status: 256") is cut("mq: status: 9 lines") is None
