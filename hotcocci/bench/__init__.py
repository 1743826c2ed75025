# SPDX-License-Identifier: GPL-2.0
"""Boot a kernel before and after a change, and count the instructions of system calls."""
