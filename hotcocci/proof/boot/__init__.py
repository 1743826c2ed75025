# SPDX-License-Identifier: GPL-2.0
"""A second witness: both versions of a function in a kernel that is really booted."""
