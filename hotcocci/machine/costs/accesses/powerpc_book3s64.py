# SPDX-License-Identifier: GPL-2.0
"""User accesses on 64-bit Book3S PowerPC: instructions, calls, switches, fences, loads, copies, returns."""

from hotcocci.findings import Count

# Linux 6.12, gcc 12: benchmarks/access_costs.py
CLASSIC = {
    "get_user": Count(41, 0, 2, 5, 4, 0, 0),
    "put_user": Count(37, 0, 2, 5, 4, 0, 0),
    "__get_user": Count(33, 0, 2, 5, 4, 0, 0),
    "__put_user": Count(30, 0, 2, 5, 4, 0, 0),
    "copy_from_user": Count(64, 2, 2, 4, 3, 0, 1),
    "copy_to_user": Count(53, 2, 2, 4, 3, 0, 1),
    "__copy_from_user": Count(35, 1, 2, 5, 3, 0, 0),
    "__copy_to_user": Count(38, 1, 2, 5, 3, 0, 0),
    "access_ok": Count(7, 0, 0, 0, 0, 0, 0),
    "copy_from_user 16": Count(65, 2, 2, 4, 3, 0, 1),
    "copy_to_user 16": Count(53, 2, 2, 4, 3, 0, 1),
    "unsafe_get_user": Count(4, 0, 0, 0, 1, 0, 0),
    "user_read_access_begin": Count(34, 0, 2, 5, 3, 0, 0),
    "unsafe_put_user": Count(2, 0, 0, 0, 1, 0, 0),
    "user_write_access_begin": Count(35, 0, 2, 5, 3, 0, 0),
    "user_access_begin": Count(28, 0, 2, 5, 3, 0, 0),
    "masked_user_access_begin read": Count(34, 0, 2, 5, 3, 0, 0),
    "masked_user_access_begin write": Count(35, 0, 2, 5, 3, 0, 0),
    "masked_user_access_begin rw": Count(28, 0, 2, 5, 3, 0, 0),
}

# Linux 7.2, gcc 12: benchmarks/access_costs.py
SCOPED = {
    "get_user": Count(38, 0, 2, 5, 4, 0, 0),
    "put_user": Count(34, 0, 2, 5, 4, 0, 0),
    "__get_user": Count(33, 0, 2, 5, 4, 0, 0),
    "__put_user": Count(30, 0, 2, 5, 4, 0, 0),
    "get_user_inline": Count(35, 0, 2, 4, 4, 0, 0),
    "put_user_inline": Count(33, 0, 2, 5, 4, 0, 0),
    "copy_from_user": Count(64, 2, 2, 4, 3, 0, 1),
    "copy_to_user": Count(67, 2, 2, 4, 3, 0, 1),
    "__copy_from_user": Count(35, 1, 2, 5, 3, 0, 0),
    "__copy_to_user": Count(38, 1, 2, 5, 3, 0, 0),
    "access_ok": Count(4, 0, 0, 0, 0, 0, 0),
    "copy_from_user 16": Count(65, 2, 2, 4, 3, 0, 1),
    "copy_to_user 16": Count(67, 2, 2, 4, 3, 0, 1),
    "unsafe_get_user": Count(4, 0, 0, 0, 1, 0, 0),
    "user_read_access_begin": Count(31, 0, 2, 5, 3, 0, 0),
    "unsafe_put_user": Count(2, 0, 0, 0, 1, 0, 0),
    "user_write_access_begin": Count(32, 0, 2, 5, 3, 0, 0),
    "user_access_begin": Count(25, 0, 2, 5, 3, 0, 0),
    "masked_user_access_begin read": Count(24, 0, 2, 5, 3, 0, 0),
    "masked_user_access_begin write": Count(25, 0, 2, 5, 3, 0, 0),
    "masked_user_access_begin rw": Count(24, 0, 2, 5, 3, 0, 0),
    "scoped_user_read_access": Count(32, 0, 2, 5, 3, 0, 0),
    "scoped_user_write_access": Count(32, 0, 2, 5, 3, 0, 0),
    "scoped_user_rw_access": Count(26, 0, 2, 5, 3, 0, 0),
}
