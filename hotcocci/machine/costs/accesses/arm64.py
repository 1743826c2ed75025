# SPDX-License-Identifier: GPL-2.0
"""User accesses on arm64: instructions, calls, switches, fences, loads, copies, returns."""

from hotcocci.findings import Count

# Linux 6.12, gcc 12: benchmarks/access_costs.py
CLASSIC = {
    "get_user": Count(40, 0, 2, 3, 3, 0, 0),
    "put_user": Count(36, 0, 2, 3, 3, 0, 0),
    "__get_user": Count(40, 0, 2, 3, 3, 0, 0),
    "__put_user": Count(36, 0, 2, 3, 3, 0, 0),
    "copy_from_user": Count(57, 1, 2, 3, 3, 0, 1),
    "copy_to_user": Count(57, 1, 2, 3, 3, 0, 1),
    "__copy_from_user": Count(46, 1, 2, 3, 2, 0, 1),
    "__copy_to_user": Count(48, 1, 2, 3, 2, 0, 1),
    "access_ok": Count(8, 0, 0, 0, 1, 0, 0),
    "copy_from_user 16": Count(58, 1, 2, 2, 3, 0, 1),
    "copy_to_user 16": Count(53, 1, 2, 2, 3, 0, 1),
    "unsafe_get_user": Count(5, 0, 0, 0, 1, 0, 0),
    "user_read_access_begin": Count(35, 0, 2, 3, 2, 0, 0),
    "unsafe_put_user": Count(4, 0, 0, 0, 1, 0, 0),
    "user_write_access_begin": Count(32, 0, 2, 3, 2, 0, 0),
    "user_access_begin": Count(35, 0, 2, 3, 2, 0, 0),
    "masked_user_access_begin read": Count(35, 0, 2, 3, 2, 0, 0),
    "masked_user_access_begin write": Count(32, 0, 2, 3, 2, 0, 0),
    "masked_user_access_begin rw": Count(35, 0, 2, 3, 2, 0, 0),
}

# Linux 7.2, gcc 12: benchmarks/access_costs.py
SCOPED = {
    "get_user": Count(40, 0, 2, 3, 3, 0, 0),
    "put_user": Count(36, 0, 2, 3, 3, 0, 0),
    "__get_user": Count(40, 0, 2, 3, 3, 0, 0),
    "__put_user": Count(36, 0, 2, 3, 3, 0, 0),
    "get_user_inline": Count(38, 0, 2, 3, 3, 0, 0),
    "put_user_inline": Count(36, 0, 2, 3, 3, 0, 0),
    "copy_from_user": Count(58, 1, 2, 3, 3, 0, 1),
    "copy_to_user": Count(58, 1, 2, 3, 3, 0, 1),
    "__copy_from_user": Count(47, 1, 2, 3, 2, 0, 1),
    "__copy_to_user": Count(49, 1, 2, 3, 2, 0, 1),
    "access_ok": Count(8, 0, 0, 0, 1, 0, 0),
    "copy_from_user 16": Count(59, 1, 2, 2, 3, 0, 1),
    "copy_to_user 16": Count(54, 1, 2, 2, 3, 0, 1),
    "unsafe_get_user": Count(5, 0, 0, 0, 1, 0, 0),
    "user_read_access_begin": Count(35, 0, 2, 3, 2, 0, 0),
    "unsafe_put_user": Count(4, 0, 0, 0, 1, 0, 0),
    "user_write_access_begin": Count(32, 0, 2, 3, 2, 0, 0),
    "user_access_begin": Count(35, 0, 2, 3, 2, 0, 0),
    "masked_user_access_begin read": Count(35, 0, 2, 3, 2, 0, 0),
    "masked_user_access_begin write": Count(32, 0, 2, 3, 2, 0, 0),
    "masked_user_access_begin rw": Count(35, 0, 2, 3, 2, 0, 0),
    "scoped_user_read_access": Count(35, 0, 2, 3, 2, 0, 0),
    "scoped_user_write_access": Count(32, 0, 2, 3, 2, 0, 0),
    "scoped_user_rw_access": Count(35, 0, 2, 3, 2, 0, 0),
}
