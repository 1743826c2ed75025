# SPDX-License-Identifier: GPL-2.0
"""Read profiles of the kernel's functions from the output of perf."""
