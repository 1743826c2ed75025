// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: transfer
 * Sizes: 1
 * Reaches: usbdev_ioctl proc_do_submiturb
 * Options: USB_SUPPORT USB USB_GADGET USB_DUMMY_HCD USB_ZERO
 */
#include "bench.h"
#include "usbfs.h"

static int device;
static unsigned char buffer[64];

static int setup(int size)
{
	struct usbdevfs_urb urb;
	void *done;

	device = usbfs();
	if (device < 0 || ask(device, &urb, buffer) < 0)
		return -1;
	memcpy(object, &urb, sizeof(urb));
	return ioctl(device, USBDEVFS_REAPURB, &done);
}

static void before(int size)
{
	struct pollfd done = { .fd = device, .events = POLLOUT };
	void *urb;

	poll(&done, 1, 100);
	ioctl(device, USBDEVFS_REAPURBNDELAY, &urb);
}

OPERATION(syscall(SYS_ioctl, device, USBDEVFS_SUBMITURB, object),
	  .setup = setup, .before = before, .fixed = sizeof(struct usbdevfs_urb));
