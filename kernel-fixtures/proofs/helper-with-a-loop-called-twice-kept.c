// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper with a loop is called from two places before and after
 * Verdict: proven
 */
#include <linux/atomic.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>

struct entry {
	struct hlist_node node;
	unsigned long key;
	atomic_t users;
};

extern struct hlist_head table[];
extern spinlock_t lock;
extern struct entry *made(unsigned long key);
extern void dropped(struct entry *entry);

static struct entry *found(unsigned long key, unsigned int hash)
{
	struct entry *entry;

	hlist_for_each_entry_rcu(entry, &table[hash], node, true)
		if (entry->key == key) {
			if (atomic_read(&entry->users) == 0)
				continue;
			atomic_inc(&entry->users);
			return entry;
		}
	return NULL;
}

struct entry *subject(unsigned long key, unsigned int hash)
{
	struct entry *old, *new;

	old = found(key, hash);
	if (old)
		return old;
	new = made(key);
	spin_lock(&lock);
	old = found(key, hash);
	if (old) {
		spin_unlock(&lock);
		dropped(new);
		return old;
	}
	atomic_inc(&new->users);
	hlist_add_head_rcu(&new->node, &table[hash]);
	spin_unlock(&lock);
	return new;
}
