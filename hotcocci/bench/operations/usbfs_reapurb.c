// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: transfer
 * Sizes: 1
 * Reaches: usbdev_ioctl processcompl
 * Options: USB_SUPPORT USB USB_GADGET USB_DUMMY_HCD USB_ZERO
 */
#include "bench.h"
#include "usbfs.h"

static int device;
static struct usbdevfs_urb urb;
static unsigned char buffer[64];

static int setup(int size)
{
	(void)size;
	device = usbfs();
	return device;
}

static void before(int size)
{
	(void)size;
	ask(device, &urb, buffer);
}

static long once(int size)
{
	(void)size;
	/* Writes the address of the transfer to the object, and the result to the transfer. */
	return syscall(SYS_ioctl, device, USBDEVFS_REAPURBNDELAY, object);
}

OPERATION(.setup = setup, .before = before, .once = once, .fixed = sizeof(void *));
