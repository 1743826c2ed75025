# SPDX-License-Identifier: GPL-2.0
"""The checkers in other languages; a package only so that they are installed beside hotcocci."""
