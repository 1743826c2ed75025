# SPDX-License-Identifier: GPL-2.0
"""Instructions that ran are counted between two marks, and belong to functions."""

from dataclasses import replace

from hotcocci.bench import counts
from hotcocci.bench.counts import Ran, Symbols
from hotcocci.bench.kernel import Image
from hotcocci.bench.run import Compared
from hotcocci.output import bench as output

MAP = """\
ffffffff81000000 T _text
ffffffff81000000 T do_epoll_wait
ffffffff81000100 t ep_send_events.isra.0
ffffffff81000200 T __memcpy
ffffffff81000200 W memcpy
ffffffff81000300 D data
"""


def _symbols(place):
    (place / "System.map").write_text(MAP)
    return Symbols(Image(place / "bzImage", place / "System.map", place / "vmlinux"))


def test_the_call_that_ran_least_counts(tmp_path):
    (tmp_path / "ran").write_text(
        "ffffffff81000000 1\nffffffff81000004 3\nend\nffffffff81000000 1\nend\nend\n"
    )
    printed = [*["calls epoll_wait 64 64"] * 2, *["calls getppid 1 1", "done"]]
    assert counts.executed(printed, tmp_path) == {
        ("epoll_wait", 64): {0xFFFFFFFF81000000: 1},
        ("getppid", 1): {},
    }


def test_instructions_belong_to_functions(tmp_path):
    text = 0xFFFFFFFF81000000
    ran = {
        text: 2,
        text + 0x10: 5,
        text + 0x110: 7,
        text + 0x200: 1,
        text - 0x1000000: 9,
    }
    assert _symbols(tmp_path).functions(ran) == {
        "_text": Ran(2, 7),
        "ep_send_events": Ran(0, 7),
        "memcpy": Ran(1, 1),
    }


def test_functions_whose_share_changed_are_shown():
    row = ("epoll_wait", 64)
    tables = [
        output.read(
            '{"version": 2, "unit": "instructions", "made": "", "missing": [], '
            f'"counts": [["epoll_wait", 64, {value}, {value}, {value}, 64]]}}',
            "table",
        )
        for value in (200, 150)
    ]
    ran = (
        {row: {"ep_send": Ran(1, 50), "put": Ran(64, 150)}},
        {row: {"ep_send": Ran(1, 50), "put": Ran(64, 100)}},
    )
    assert output.functions(Compared(*tables, ran, {})) == [
        "operation   size  function  before         after",
        "epoll_wait  64    put()     150     75.0%  100    66.7%",
    ]
    assert output.reached(Compared(*tables, ran, {"put": (row,)})) == [
        "put(): run by epoll_wait"
    ]
    assert output.reached(Compared(*tables, ran, {"ep_send": ()})) == [
        "ep_send(): none of these operations runs it",
        "epoll_wait 64 runs no changed function, and no data changed: other pages are free",
    ]
    assert output.reached(Compared(*tables, ran, {}, ("level", "mode"))) == [
        "no function's code differs in this configuration",
        "data that differs: level, mode",
        "epoll_wait 64 runs no changed function: it may depend on data that changed",
    ]
    same = Compared(tables[0], tables[0], ran, {"get": (row,), "put": (row,)})
    assert output.functions(same) == []
    assert output.reached(same) == ["get(), put(): run by epoll_wait"]
    # As with a header that most files include
    many = {f"f{n:02}": () for n in range(40)}
    assert output.reached(replace(same, changed=many)) == [
        ", ".join(f"f{n:02}()" for n in range(20))
        + " and 20 more: none of these operations runs them"
    ]
