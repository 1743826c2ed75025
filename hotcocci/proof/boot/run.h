/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of repeated calls of one function, shared by the parts of the driver.
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

/* A parameter: its memory, with contents before the calls and after each of them. */
struct object {
	unsigned long size;
	unsigned long bytes;		/* of contents */
	u8 *initial, *before, *after;
	/* Kernel memory: the object ends at a page boundary before an unmapped page. */
	u8 *memory;
	/* Kernel memory that a wild user pointer may point to. */
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
	/* The user pointer that is not placed inside mapped memory. */
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

/* judge.c: compare calls and print differences */
void hotcocci_print_input(const struct run *run);
void hotcocci_judge(struct run *run);

#endif
