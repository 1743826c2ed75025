# SPDX-License-Identifier: GPL-2.0
"""What is known of the kernel's hot places: data, a file for each part of the kernel."""
