# SPDX-License-Identifier: GPL-2.0
"""The same tasks on more than one machine, by way of a dask.distributed scheduler."""
