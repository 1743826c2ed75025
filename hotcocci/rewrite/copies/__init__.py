# SPDX-License-Identifier: GPL-2.0
"""Small copies by copy_from_user() and copy_to_user(), and their replacements."""
