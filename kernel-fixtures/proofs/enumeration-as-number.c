// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that is called through a pointer returns a number, not an enumeration
 * Verdict: not proven
 * Says: CONFIG_CFI_CLANG
 */
#include <linux/netdevice.h>

static netdev_tx_t transmit(struct sk_buff *skb, struct net_device *dev)
{
	kfree_skb(skb);
	return NETDEV_TX_OK;
}

void subject(struct net_device_ops *ops)
{
	ops->ndo_start_xmit = transmit;
}
