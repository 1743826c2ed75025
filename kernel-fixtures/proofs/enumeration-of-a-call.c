// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same in one that is called by its name
 * Verdict: proven
 */
#include <linux/netdevice.h>

static int transmit(struct sk_buff *skb)
{
	kfree_skb(skb);
	return NETDEV_TX_OK;
}

netdev_tx_t subject(struct sk_buff *skb)
{
	return transmit(skb);
}
