// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: byte
 * Sizes: 4 8 16 24 32 48 64
 * Reaches: drm_ioctl
 * Options: PCI DRM DRM_VGEM
 */
#include "bench.h"
#include <sys/ioctl.h>

static int card;

static int setup(int size)
{
	*(uint32_t *)object = 6;
	card = open("/dev/dri/card0", O_RDWR);
	return card;
}

/* DRM_IOCTL_GET_CAP of DRM_CAP_TIMESTAMP_MONOTONIC in any size, as other versions have it: there and back. */
OPERATION(syscall(SYS_ioctl, card, _IOC(_IOC_READ | _IOC_WRITE, 'd', 0x0c, size), object),
	  .setup = setup, .each = 1);
