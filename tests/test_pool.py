# SPDX-License-Identifier: GPL-2.0
"""Work distributed over processes returns in order."""

from __future__ import annotations

import os

import pytest

from hotcocci.pool import spread


def where(item: int) -> tuple[int, int]:
    return item * 2, os.getpid()


@pytest.mark.parametrize(("jobs", "least"), [(1, 1), (2, 1000)])
def test_little_work_stays_in_this_process(jobs: int, least: int) -> None:
    results = spread(where, range(100), jobs, least)
    assert results == [(2 * n, os.getpid()) for n in range(100)]


def test_much_work_is_distributed_and_ordered() -> None:
    results = spread(where, range(1000), 2, 10)
    assert [result for result, _ in results] == [2 * n for n in range(1000)]
    assert os.getpid() not in {pid for _, pid in results}


def fail(item: int) -> int:
    raise ValueError(item)


def test_an_error_is_raised() -> None:
    with pytest.raises(ValueError):
        spread(fail, range(100), 2, 10)
