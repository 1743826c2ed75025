// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copied string is freed by an attribute, which also tests for an error pointer
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/cleanup.h>
#include <linux/slab.h>
#include <linux/string.h>

extern int parsed(char *text);

int subject(struct karg *k, struct uarg __user *u)
{
	char *text = kstrdup((char *)k->words, GFP_KERNEL);
	int err;

	if (!text)
		return -ENOMEM;
	err = parsed(text);
	kfree(text);
	return err;
}
