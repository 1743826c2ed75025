# SPDX-License-Identifier: GPL-2.0
"""The semantic patches; a package only so that they are installed beside hotcocci."""
