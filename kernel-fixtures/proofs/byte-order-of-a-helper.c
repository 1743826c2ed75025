// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the body of an inline function without its conversion of byte order
 * Verdict: not proven
 * Says: usb_endpoint_maxp\(\) may be other code
 */
#include <linux/usb/ch9.h>

int subject(const struct usb_endpoint_descriptor *d)
{
	return usb_endpoint_maxp(d);
}
