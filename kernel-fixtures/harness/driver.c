// SPDX-License-Identifier: GPL-2.0
/*
 * Calls subject() with seeded contents, without a fault, with each access
 * faulting in turn, and with pointers that are no user addresses, and prints
 * one line for each call. Two forms of a case must print the same lines, as
 * far as tests/cases compares them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fixture/arguments.h>
#include <fixture/memory.h>

#define SEEDS		6
#define MAX_FAULTS	200

struct place {
	const char *name;
	unsigned long first;
	unsigned long second;
};

static const struct place places[] = {
	{ "good", USER_FIRST_OBJECT, USER_SECOND_OBJECT },
	{ "bad-first", USER_BAD_OBJECT, USER_SECOND_OBJECT },
	{ "null-first", 0, USER_SECOND_OBJECT },
	{ "bad-second", USER_FIRST_OBJECT, USER_BAD_OBJECT },
};

static void fill(void *to, size_t size, unsigned int seed)
{
	unsigned char *bytes = to;
	unsigned int state = seed * 2654435761u + 12345;

	for (size_t i = 0; i < size; i++) {
		state = state * 1103515245 + 12345;
		bytes[i] = state >> 16;
	}
}

static void fill_user(unsigned long address, unsigned long next, unsigned int seed)
{
	struct uarg *object = user_memory_object(address);

	fill(object, sizeof(*object), seed + 100);
	object->ptr = USER_SECOND_OBJECT;
	object->ptr32 = USER_SECOND_OBJECT;
	object->len = seed % 9;
	object->next = (struct uarg *)next;
	/* some cases refuse large values: half of the seeds pass */
	if (seed & 1)
		object->a = seed;
}

static void fill_kernel(struct karg *k, const struct place *place, unsigned int seed)
{
	static const unsigned int counts[] = { 0, 3, 8, 1, 4, 2 };

	memset(k, 0, sizeof(*k));
	fill(k, sizeof(*k), seed);
	k->count = counts[seed % 6];
	k->index = seed % 3;
	k->flag = seed >> 1 & 1;
	k->user = (struct uarg *)place->second;
	k->arg = place->second;
	k->uptr32 = (compat_uptr_t)place->second;
	k->lock.held = 0;
	k->spin.held = 0;
}

static void print_bytes(const char *name, const void *from, size_t size)
{
	const unsigned char *bytes = from;

	printf(" | %s ", name);
	for (size_t i = 0; i < size; i++)
		printf("%02x", bytes[i]);
}

static unsigned int call(const struct place *place, unsigned int seed, bool masking,
			 unsigned int fault)
{
	struct karg k;
	int ret;

	user_memory_reset(sizeof(struct uarg), seed);
	credentials_reset(seed);
	fill_user(USER_FIRST_OBJECT, USER_SECOND_OBJECT, seed);
	fill_user(USER_SECOND_OBJECT, 0, seed + 7);
	fill_kernel(&k, place, seed);
	user_memory_set_masking(masking);
	user_memory_fault_at(fault);
	ret = subject(&k, (struct uarg *)place->first);
	if (!user_window_is_closed()) {
		fprintf(stderr, "violation: window open at return\n");
		exit(3);
	}
	printf("%s masking=%d seed=%u fault=%u | ret %d | trace%s", place->name, masking, seed,
	       fault, ret, user_memory_trace());
	print_bytes("kernel", &k, sizeof(k));
	print_bytes("user", user_memory_object(USER_FIRST_OBJECT), sizeof(struct uarg));
	print_bytes("second", user_memory_object(USER_SECOND_OBJECT), sizeof(struct uarg));
	printf("\n");
	return user_memory_accesses();
}

int main(void)
{
	for (unsigned int masking = 0; masking < 2; masking++) {
		for (unsigned int seed = 0; seed < SEEDS; seed++) {
			unsigned int n = call(&places[0], seed, masking, 0);

			for (unsigned int fault = 1; fault <= n && fault <= MAX_FAULTS; fault++)
				call(&places[0], seed, masking, fault);
			for (size_t i = 1; i < sizeof(places) / sizeof(places[0]); i++)
				call(&places[i], seed, masking, 0);
		}
	}
	return 0;
}
