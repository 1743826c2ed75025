/* SPDX-License-Identifier: GPL-2.0 */
/* The device of gadget zero behind dummy_hcd, opened through usbfs. */
#ifndef USBFS_H
#define USBFS_H

#include <linux/usb/ch9.h>
#include <linux/usbdevice_fs.h>
#include <poll.h>
#include <sys/ioctl.h>

/* The device, once the hub has found it; negative if there is none. */
static inline int usbfs(void)
{
	struct usb_device_descriptor found;
	int device = -1;

	for (int tries = 0; tries < 50 && device < 0; tries++) {
		device = open("/dev/bus/usb/001/002", O_RDWR);
		if (device < 0 && errno != ENOENT)
			return -1;
		if (device < 0)
			usleep(100000);
	}
	/* Nobody's keyboard */
	if (device >= 0 && (read(device, &found, sizeof(found)) < 18 || found.idVendor != 0x0525)) {
		errno = ENODEV;
		return -1;
	}
	return device;
}

/* Asks for the device descriptor, and waits for it. */
static inline int ask(int device, struct usbdevfs_urb *urb, unsigned char *buffer)
{
	struct pollfd done = { .fd = device, .events = POLLOUT };

	memset(urb, 0, sizeof(*urb));
	/* GET_DESCRIPTOR of 18 bytes */
	memcpy(buffer, "\x80\x06\x00\x01\x00\x00\x12\x00", 8);
	urb->type = USBDEVFS_URB_TYPE_CONTROL;
	urb->buffer = buffer;
	urb->buffer_length = 8 + 18;
	if (ioctl(device, USBDEVFS_SUBMITURB, urb) < 0)
		return -1;
	return poll(&done, 1, 1000) == 1 ? 0 : -1;
}

#endif
