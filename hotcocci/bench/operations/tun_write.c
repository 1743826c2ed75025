// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: packet
 * Sizes: 1
 * Reaches: tun_get_user
 * Options: NET INET NETDEVICES NET_CORE TUN
 */
#include "bench.h"
#include "tun.h"
#include <linux/virtio_net.h>

#define BYTES (sizeof(struct virtio_net_hdr) + 60)

static int tun;

static int setup(int size)
{
	/* An empty header, then an Ethernet frame of an unused protocol */
	memset(object + sizeof(struct virtio_net_hdr), 0xff, 6);
	tun = tap(IFF_VNET_HDR);
	return tun;
}

OPERATION(syscall(SYS_write, tun, object, BYTES), .setup = setup, .fixed = BYTES);
