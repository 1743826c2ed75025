# SPDX-License-Identifier: GPL-2.0
"""User accesses on x86-64: instructions, calls, switches, fences, loads, copies, returns."""

from hotcocci.findings import Count

# Linux 6.12, gcc 12: benchmarks/access_costs.py
CLASSIC = {
    "get_user": Count(16, 1, 2, 0, 1, 0, 1),
    "put_user": Count(15, 1, 2, 0, 1, 0, 1),
    "__get_user": Count(14, 1, 2, 1, 1, 0, 1),
    "__put_user": Count(12, 1, 2, 0, 1, 0, 1),
    "copy_from_user": Count(30, 1, 2, 0, 0, 1, 1),
    "copy_to_user": Count(33, 1, 2, 0, 0, 1, 1),
    "__copy_from_user": Count(12, 0, 2, 0, 0, 1, 0),
    "__copy_to_user": Count(13, 0, 2, 0, 0, 1, 0),
    "access_ok": Count(3, 0, 0, 0, 0, 0, 0),
    "copy_from_user 16": Count(28, 1, 2, 0, 0, 1, 1),
    "copy_to_user 16": Count(30, 1, 2, 0, 0, 1, 1),
    "unsafe_get_user": Count(4, 0, 0, 0, 1, 0, 0),
    "user_read_access_begin": Count(13, 0, 2, 1, 0, 0, 0),
    "unsafe_put_user": Count(2, 0, 0, 0, 1, 0, 0),
    "user_write_access_begin": Count(9, 0, 2, 1, 0, 0, 0),
    "user_access_begin": Count(13, 0, 2, 1, 0, 0, 0),
    "masked_user_access_begin read": Count(12, 0, 2, 0, 0, 0, 0),
    "masked_user_access_begin write": Count(8, 0, 2, 0, 0, 0, 0),
    "masked_user_access_begin rw": Count(12, 0, 2, 0, 0, 0, 0),
}

# Linux 7.2, gcc 12: benchmarks/access_costs.py
SCOPED = {
    "get_user": Count(16, 1, 2, 0, 1, 0, 1),
    "put_user": Count(15, 1, 2, 0, 1, 0, 1),
    "__get_user": Count(14, 1, 2, 1, 1, 0, 1),
    "__put_user": Count(12, 1, 2, 0, 1, 0, 1),
    "get_user_inline": Count(10, 0, 2, 0, 1, 0, 0),
    "put_user_inline": Count(9, 0, 2, 0, 1, 0, 0),
    "copy_from_user": Count(30, 1, 2, 0, 0, 1, 1),
    "copy_to_user": Count(33, 1, 2, 0, 0, 1, 1),
    "__copy_from_user": Count(12, 0, 2, 0, 0, 1, 0),
    "__copy_to_user": Count(13, 0, 2, 0, 0, 1, 0),
    "access_ok": Count(3, 0, 0, 0, 0, 0, 0),
    "copy_from_user 16": Count(28, 1, 2, 0, 0, 1, 1),
    "copy_to_user 16": Count(30, 1, 2, 0, 0, 1, 1),
    "unsafe_get_user": Count(4, 0, 0, 0, 1, 0, 0),
    "user_read_access_begin": Count(13, 0, 2, 1, 0, 0, 0),
    "unsafe_put_user": Count(2, 0, 0, 0, 1, 0, 0),
    "user_write_access_begin": Count(9, 0, 2, 1, 0, 0, 0),
    "user_access_begin": Count(13, 0, 2, 1, 0, 0, 0),
    "masked_user_access_begin read": Count(12, 0, 2, 0, 0, 0, 0),
    "masked_user_access_begin write": Count(8, 0, 2, 0, 0, 0, 0),
    "masked_user_access_begin rw": Count(12, 0, 2, 0, 0, 0, 0),
    "scoped_user_read_access": Count(12, 0, 2, 0, 0, 0, 0),
    "scoped_user_write_access": Count(8, 0, 2, 0, 0, 0, 0),
    "scoped_user_rw_access": Count(12, 0, 2, 0, 0, 0, 0),
}
