# SPDX-License-Identifier: GPL-2.0
"""List the loads of a function's machine code, and which of them wait for earlier loads."""
