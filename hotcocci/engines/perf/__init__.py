# SPDX-License-Identifier: GPL-2.0
"""perf: what a profile that it has printed says about the kernel's functions."""
