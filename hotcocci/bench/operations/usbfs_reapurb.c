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
	device = usbfs();
	return device;
}

static void before(int size)
{
	ask(device, &urb, buffer);
}

/* Writes the address of the transfer to the object, and the result to the transfer. */
OPERATION(syscall(SYS_ioctl, device, USBDEVFS_REAPURBNDELAY, object),
	  .setup = setup, .before = before, .fixed = sizeof(void *));
