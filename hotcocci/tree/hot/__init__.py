# SPDX-License-Identifier: GPL-2.0
"""Lists of the kernel's hot functions, one file per subsystem."""
