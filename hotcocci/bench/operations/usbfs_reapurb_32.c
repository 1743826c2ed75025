// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: transfer
 * Sizes: 1
 * Reaches: usbdev_ioctl processcompl_compat
 * Machines: x86-64
 * Options: IA32_EMULATION USB_SUPPORT USB USB_GADGET USB_DUMMY_HCD USB_ZERO
 */
#include "bench.h"
#include "usbfs.h"

static int device;
static struct usbdevfs_urb *urb;

static int setup(int size)
{
	urb = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	device = usbfs();
	return device;
}

static void before(int size)
{
	ask(device, urb, (unsigned char *)(urb + 1));
}

/* USBDEVFS_REAPURBNDELAY32 */
OPERATION(call32(54, device, 0x4004550d, OBJECT32, 0, 0),
	  .setup = setup, .before = before, .fixed = 4);
