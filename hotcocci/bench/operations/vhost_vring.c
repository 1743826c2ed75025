// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: vhost_vring_ioctl
 * Options: NET INET EVENTFD VIRTIO_MENU VHOST_MENU VHOST_NET
 */
#include "bench.h"
#include <linux/vhost.h>
#include <sys/ioctl.h>

static int vhost;

static int setup(int size)
{
	vhost = open("/dev/vhost-net", O_RDWR);
	return vhost < 0 ? -1 : ioctl(vhost, VHOST_SET_OWNER, 0);
}

/* The first of its rings: the object is { 0, 0 } and stays so. */
OPERATION(syscall(SYS_ioctl, vhost, VHOST_GET_VRING_BASE, object),
	  .setup = setup, .fixed = sizeof(struct vhost_vring_state));
