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
	card = open("/dev/dri/card0", O_RDWR);
	return card;
}

/* DRM_IOCTL_VERSION: 64 bytes there and back; the names have no room. */
OPERATION(syscall(SYS_ioctl, card, _IOWR('d', 0, char[64]), object), .setup = setup, .fixed = 64);
