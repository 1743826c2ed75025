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

/* DRM_IOCTL_GEM_CLOSE of no buffer: 8 bytes to the kernel. */
OPERATION(syscall(SYS_ioctl, card, _IOW('d', 0x09, char[8]), object), .setup = setup, .fixed = 8);
