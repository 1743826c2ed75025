// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an owner, which only modules have, is lost with the macro that sets it
 * Verdict: not proven
 * Says: DEFINE_SHOW_ATTRIBUTE\(\) may be other code
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>

static int state_show(struct seq_file *m, void *unused)
{
	seq_puts(m, "on\n");
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(state);

const struct file_operations *subject(void)
{
	return &state_fops;
}
