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
	card = open("/dev/dri/card0", O_RDWR);
	return card;
}

static long once(int size)
{
	(void)size;
	/* DRM_IOCTL_VERSION: 64 bytes there and back; the names have no room. */
	return syscall(SYS_ioctl, card, _IOWR('d', 0, char[64]), object);
}

OPERATION(.setup = setup, .once = once, .fixed = 64);
