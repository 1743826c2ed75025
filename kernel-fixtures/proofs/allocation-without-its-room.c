// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an allocation that leaves room at the start, which is none on x86
 * Verdict: not proven
 * Says: netdev_alloc_skb_ip_align.. may be other code
 */
#include <linux/skbuff.h>

struct sk_buff *subject(struct net_device *dev, unsigned int n)
{
	return netdev_alloc_skb_ip_align(dev, n);
}
