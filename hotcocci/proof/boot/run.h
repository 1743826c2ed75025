/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One function being called again and again, as the parts of the driver see it.
 */
#ifndef HOTCOCCI_RUN_H
#define HOTCOCCI_RUN_H

#include "driver.h"

#include <linux/bits.h>
#include <linux/prandom.h>
#include <linux/sizes.h>

#define POOL SZ_64K
#define REDZONE 64UL
#define AC BIT(18)

enum place { INSIDE, OVER_END, OVER_START, OVER_READ_ONLY, WILD, PLACES };

/* One parameter: where its memory is, and its contents at the three times. */
struct object {
	unsigned long size;
	unsigned long bytes;		/* of contents */
	u8 *initial, *before, *after;
	/* Kernel structure: it ends where its pages end, and the next page is not mapped. */
	u8 *memory;
	/* What a wild user pointer points to in the kernel. */
	u8 *secret;
	/* User memory. */
	unsigned long start, span;
	unsigned int pages;
	struct page **page;
};

struct outcome {
	unsigned long value;
	unsigned long flags;
	bool faulted;
	bool irqs_off;
	bool faults_off;
};

struct run {
	const struct hotcocci_subject *subject;
	struct object objects[HOTCOCCI_PARAMETERS];
	unsigned long arguments[HOTCOCCI_PARAMETERS];
	u8 *pool;
	struct rnd_state random;
	/* The one user pointer that is not well placed. */
	unsigned int moved;
	enum place place;
	unsigned long offset;
	const char *side;
	struct outcome before, after;
	unsigned long runs, faults, zeroed, later, parts, checked;
	bool different;
};

/* objects.c: the memory of the arguments */
#define WILD_NUMBERS 10

void *hotcocci_bytes(struct kunit *test, unsigned long size);
void hotcocci_prepare(struct kunit *test, struct run *run);
void hotcocci_release(struct run *run);
void hotcocci_restore(struct run *run);
void hotcocci_keep(struct run *run, bool after);
unsigned long hotcocci_address(const struct object *object, enum place place,
			       unsigned long offset);

/* judge.c: what differs, and telling of it */
void hotcocci_tell_input(const struct run *run);
void hotcocci_judge(struct run *run);

#endif
