# SPDX-License-Identifier: GPL-2.0
"""What the machine code of one object does with user access, along every path."""
