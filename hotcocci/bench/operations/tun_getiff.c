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
	(void)size;
	tun = tap(0);
	return tun;
}

static long once(int size)
{
	(void)size;
	return syscall(SYS_ioctl, tun, TUNGETIFF, object);
}

OPERATION(.setup = setup, .once = once, .fixed = sizeof(struct ifreq));
