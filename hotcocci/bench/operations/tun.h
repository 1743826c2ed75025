/* SPDX-License-Identifier: GPL-2.0 */
/* A network device whose other end is this program. */
#ifndef TUN_H
#define TUN_H

#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* The device, up, with flags such as IFF_VNET_HDR; negative if there is none. */
static inline int tap(int flags)
{
	struct ifreq request = { .ifr_flags = IFF_TAP | IFF_NO_PI | flags };
	int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK), control = socket(AF_INET, SOCK_DGRAM, 0);

	strcpy(request.ifr_name, "tap%d");
	if (tun < 0 || ioctl(tun, TUNSETIFF, &request) < 0)
		return -1;
	request.ifr_flags = IFF_UP;
	return ioctl(control, SIOCSIFFLAGS, &request) < 0 ? -1 : tun;
}

#endif
