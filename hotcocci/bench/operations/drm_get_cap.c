// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: drm_ioctl
 * Options: PCI DRM DRM_VGEM
 */
#include "bench.h"
#include <sys/ioctl.h>

static int card;

static int setup(int size)
{
	(void)size;
	*(uint64_t *)object = 1;
	card = open("/dev/dri/card0", O_RDWR);
	return card;
}

static long once(int size)
{
	(void)size;
	/* DRM_IOCTL_GET_CAP of DRM_CAP_DUMB_BUFFER: 16 bytes there and back. */
	return syscall(SYS_ioctl, card, _IOWR('d', 0x0c, char[16]), object);
}

OPERATION(.setup = setup, .once = once, .fixed = 16);
