/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the generated table of functions and the driver that calls them share.
 */
#ifndef HOTCOCCI_DRIVER_H
#define HOTCOCCI_DRIVER_H

#include <kunit/test.h>

#define HOTCOCCI_PARAMETERS 8

enum hotcocci_kind {
	HOTCOCCI_SCALAR,	/* one of its values, or anything */
	HOTCOCCI_USER,		/* an address in user memory */
	HOTCOCCI_RECORD,	/* a kernel structure, filled with bytes */
};

/* One function, before and after. */
struct hotcocci_subject {
	const char *name;
	unsigned int number;
	/* Whether it goes on after a fault: its stores after one may be missing. */
	bool collects;
	/* Whether it copies: part of what a fault cut off may be there or not. */
	bool copies;
	/* Whether it takes a kernel address for a user's, where a window would refuse it. */
	bool unchecked;
	unsigned int parameters;
	const unsigned char *kinds;
	/* Of what a parameter points to, in bytes; of the parameter if it is a scalar. */
	const unsigned long *sizes;
	/* Constants that the function compares something with. */
	const unsigned long *constants;
	unsigned int constant_count;
	/* The two versions; arguments as the words they are passed in. */
	unsigned long (*before)(const unsigned long *arguments);
	unsigned long (*after)(const unsigned long *arguments);
};

void hotcocci_run(struct kunit *test, const struct hotcocci_subject *subject);

#endif
