/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface between the generated table of functions and the driver that calls them.
 */
#ifndef HOTCOCCI_DRIVER_H
#define HOTCOCCI_DRIVER_H

#include <kunit/test.h>

#define HOTCOCCI_PARAMETERS 8

enum hotcocci_kind {
	HOTCOCCI_SCALAR,	/* one of its values, or anything */
	HOTCOCCI_USER,		/* an address in user memory */
	HOTCOCCI_RECORD,	/* a struct in kernel memory, filled with bytes */
};

/* One function, before and after. */
struct hotcocci_subject {
	const char *name;
	unsigned int number;
	/* It continues after a fault; the new version may skip the stores after one. */
	bool collects;
	/* It copies: data before a fault may be partly transferred. */
	bool copies;
	/* It does not check user addresses, as a window would. */
	bool unchecked;
	unsigned int parameters;
	const unsigned char *kinds;
	/* Size in bytes of what each parameter points to; of the parameter if a scalar. */
	const unsigned long *sizes;
	/* Constants that appear in comparisons of the function. */
	const unsigned long *constants;
	unsigned int constant_count;
	/* The two versions; arguments are passed as words. */
	unsigned long (*before)(const unsigned long *arguments);
	unsigned long (*after)(const unsigned long *arguments);
};

void hotcocci_run(struct kunit *test, const struct hotcocci_subject *subject);

#endif
