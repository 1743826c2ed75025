# SPDX-License-Identifier: GPL-2.0
"""User accesses on 32-bit Book3S PowerPC: instructions, calls, switches, fences, loads, copies, returns."""

from hotcocci.findings import Count

# Linux 6.12, gcc 12: benchmarks/access_costs.py
CLASSIC = {
    "get_user": Count(10, 0, 0, 0, 1, 0, 0),
    "put_user": Count(20, 0, 2, 3, 2, 0, 0),
    "__get_user": Count(7, 0, 0, 0, 1, 0, 0),
    "__put_user": Count(16, 0, 2, 3, 2, 0, 0),
    "copy_from_user": Count(33, 2, 0, 0, 0, 0, 1),
    "copy_to_user": Count(39, 2, 2, 2, 1, 0, 1),
    "__copy_from_user": Count(11, 1, 0, 0, 0, 0, 0),
    "__copy_to_user": Count(25, 1, 2, 3, 1, 0, 0),
    "access_ok": Count(4, 0, 0, 0, 0, 0, 0),
    "copy_from_user 16": Count(34, 2, 0, 0, 0, 0, 1),
    "copy_to_user 16": Count(39, 2, 2, 2, 1, 0, 1),
    "unsafe_get_user": Count(6, 0, 0, 0, 1, 0, 0),
    "user_read_access_begin": Count(5, 0, 0, 0, 0, 0, 0),
    "unsafe_put_user": Count(2, 0, 0, 0, 1, 0, 0),
    "user_write_access_begin": Count(18, 0, 2, 3, 1, 0, 0),
    "user_access_begin": Count(20, 0, 2, 3, 1, 0, 0),
    "masked_user_access_begin read": Count(5, 0, 0, 0, 0, 0, 0),
    "masked_user_access_begin write": Count(18, 0, 2, 3, 1, 0, 0),
    "masked_user_access_begin rw": Count(20, 0, 2, 3, 1, 0, 0),
}

# Linux 7.2, gcc 12: benchmarks/access_costs.py
SCOPED = {
    "get_user": Count(10, 0, 0, 0, 1, 0, 0),
    "put_user": Count(19, 0, 2, 3, 2, 0, 0),
    "__get_user": Count(7, 0, 0, 0, 1, 0, 0),
    "__put_user": Count(16, 0, 2, 3, 2, 0, 0),
    "get_user_inline": Count(12, 0, 0, 0, 1, 0, 0),
    "put_user_inline": Count(21, 0, 2, 3, 2, 0, 0),
    "copy_from_user": Count(35, 2, 0, 0, 0, 0, 1),
    "copy_to_user": Count(39, 2, 2, 2, 1, 0, 1),
    "__copy_from_user": Count(11, 1, 0, 0, 0, 0, 0),
    "__copy_to_user": Count(25, 1, 2, 3, 1, 0, 0),
    "access_ok": Count(3, 0, 0, 0, 0, 0, 0),
    "copy_from_user 16": Count(36, 2, 0, 0, 0, 0, 1),
    "copy_to_user 16": Count(39, 2, 2, 2, 1, 0, 1),
    "unsafe_get_user": Count(6, 0, 0, 0, 1, 0, 0),
    "user_read_access_begin": Count(4, 0, 0, 0, 0, 0, 0),
    "unsafe_put_user": Count(2, 0, 0, 0, 1, 0, 0),
    "user_write_access_begin": Count(17, 0, 2, 3, 1, 0, 0),
    "user_access_begin": Count(19, 0, 2, 3, 1, 0, 0),
    "masked_user_access_begin write": Count(18, 0, 2, 3, 1, 0, 0),
    "masked_user_access_begin rw": Count(20, 0, 2, 3, 1, 0, 0),
    "scoped_user_read_access": Count(4, 0, 0, 0, 0, 0, 0),
    "scoped_user_write_access": Count(18, 0, 2, 3, 1, 0, 0),
    "scoped_user_rw_access": Count(20, 0, 2, 3, 1, 0, 0),
}
