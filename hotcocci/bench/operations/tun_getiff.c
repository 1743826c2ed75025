// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: __tun_chr_ioctl
 * Options: NET INET NETDEVICES NET_CORE TUN
 */
#include "bench.h"
#include "tun.h"

static int tun;

static int setup(int size)
{
	tun = tap(0);
	return tun;
}

OPERATION(syscall(SYS_ioctl, tun, TUNGETIFF, object),
	  .setup = setup, .fixed = sizeof(struct ifreq));
