// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the function tests something else
 * Verdict: not proven
 */
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>

struct item {
	struct list_head list;
	int type, uses;
	int (*run)(int value);
};
extern struct list_head items;
int found(int type, int value);
void lost(const char *why, int type);
int helper(int type, int value);
int subject(int type, int value);

int helper(int type, int value)
{
	struct item *item;
	int ret = -1;

	rcu_read_lock();
	list_for_each_entry_rcu(item, &items, list) {
		if (item->type == type && item->run) {
			ret = item->run(value);
			break;
		}
	}
	rcu_read_unlock();
	if (ret <= 0)
		lost("nobody took it", type);
	return ret;
}

int subject(int type, int value)
{
	struct item *item;
	int ret = -1;

	if (!type)
		return found(type, value);
	rcu_read_lock();
	list_for_each_entry_rcu(item, &items, list) {
		if (item->type == type && item->run) {
			ret = item->run(value);
			break;
		}
	}
	rcu_read_unlock();
	if (ret < 0)
		lost("nobody took it", type);
	return found(ret, value);
}
