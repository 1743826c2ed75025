// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of the arguments: set it up, record it, and place user pointers in it.
 *
 * User memory of each pointer, N pages per area; holes are unmapped:
 *
 *	hole | writable | hole | writable | read only | hole
 *
 * An object can be placed across the end, the start, and the end of the writable area.
 */
#include "run.h"

#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#define AREA_BASE 0x10000000UL	/* below 4 GiB, for pointers of 32 bits */
#define AREA_STRIDE 0x1000000UL

static unsigned long wild(const struct object *object, unsigned long number)
{
	switch (number) {
	case 0:
		return 0;
	case 1:
		return -1UL;
	case 2:
		return TASK_SIZE_MAX - 1;
	case 3:
		return TASK_SIZE_MAX - object->size;
	case 4:
		return TASK_SIZE_MAX - object->size + 1;
	case 5:
		return TASK_SIZE_MAX;
	case 6:
		return (unsigned long)object->secret;
	case 7:
		return 0x8000000000001000UL;		/* not canonical */
	case 8:
		return 1UL << 47;
	default:
		return 1;
	}
}

unsigned long hotcocci_address(const struct object *object, enum place place,
				  unsigned long offset)
{
	unsigned long bytes = (unsigned long)object->pages * PAGE_SIZE;
	unsigned long first = object->start + PAGE_SIZE;
	unsigned long second = first + bytes + PAGE_SIZE;

	switch (place) {
	case OVER_END:
		return first + bytes - offset;
	case OVER_START:
		return first - offset;
	case OVER_READ_ONLY:
		return second + bytes - offset;
	case WILD:
		return wild(object, offset);
	default:
		return first + REDZONE;
	}
}

void hotcocci_restore(struct run *run)
{
	unsigned int i, page;

	for (i = 0; i < run->subject->parameters; i++) {
		struct object *object = &run->objects[i];

		if (object->memory)
			memcpy(object->memory, object->initial, object->bytes);
		for (page = 0; page < object->bytes / PAGE_SIZE && object->page; page++)
			memcpy(page_address(object->page[page]),
			       object->initial + page * PAGE_SIZE, PAGE_SIZE);
	}
}

void hotcocci_keep(struct run *run, bool after)
{
	unsigned int i, page;

	for (i = 0; i < run->subject->parameters; i++) {
		struct object *object = &run->objects[i];
		u8 *kept = after ? object->after : object->before;

		if (object->memory)
			memcpy(kept, object->memory, object->bytes);
		for (page = 0; page < object->bytes / PAGE_SIZE && object->page; page++)
			memcpy(kept + page * PAGE_SIZE, page_address(object->page[page]),
			       PAGE_SIZE);
	}
}

void *hotcocci_bytes(struct kunit *test, unsigned long size)
{
	void *bytes = kunit_kzalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, bytes);
	return bytes;
}

static void map(struct kunit *test, struct object *object, unsigned int number)
{
	unsigned long span, read_only;
	unsigned int i, pinned;

	object->pages = DIV_ROUND_UP(object->size + 2 * REDZONE, PAGE_SIZE);
	object->span = (3UL * object->pages + 3) * PAGE_SIZE;
	object->bytes = 3UL * object->pages * PAGE_SIZE;
	object->start = AREA_BASE + number * AREA_STRIDE;
	KUNIT_ASSERT_LT(test, object->span, AREA_STRIDE);
	KUNIT_ASSERT_EQ(test, object->start,
			kunit_vm_mmap(test, NULL, object->start, object->span,
				      PROT_READ | PROT_WRITE,
				      MAP_ANONYMOUS | MAP_PRIVATE | MAP_FIXED, 0));
	span = object->pages * PAGE_SIZE;
	read_only = object->start + 2 * PAGE_SIZE + 2 * span;
	KUNIT_ASSERT_EQ(test, read_only,
			vm_mmap(NULL, read_only, span, PROT_READ,
				MAP_ANONYMOUS | MAP_PRIVATE | MAP_FIXED, 0));
	KUNIT_ASSERT_EQ(test, 0, vm_munmap(object->start, PAGE_SIZE));
	KUNIT_ASSERT_EQ(test, 0, vm_munmap(object->start + PAGE_SIZE + span, PAGE_SIZE));
	KUNIT_ASSERT_EQ(test, 0, vm_munmap(read_only + span, PAGE_SIZE));

	/* Pinned, to read and write the contents without user accesses. */
	object->page = hotcocci_bytes(test, 3 * object->pages * sizeof(*object->page));
	for (i = 0; i < 3; i++) {
		unsigned long part = object->start + PAGE_SIZE + i * span + (i ? PAGE_SIZE : 0);

		pinned = get_user_pages_fast(part, object->pages, FOLL_WRITE | FOLL_FORCE,
					     object->page + i * object->pages);
		KUNIT_ASSERT_EQ(test, pinned, object->pages);
	}
}

void hotcocci_prepare(struct kunit *test, struct run *run)
{
	const struct hotcocci_subject *subject = run->subject;
	unsigned int i;

	run->pool = hotcocci_bytes(test, POOL);
	prandom_seed_state(&run->random, 1);
	prandom_bytes_state(&run->random, run->pool, POOL);
	for (i = 0; i < subject->parameters; i++) {
		struct object *object = &run->objects[i];

		object->size = subject->sizes[i];
		if (subject->kinds[i] == HOTCOCCI_SCALAR)
			continue;
		if (subject->kinds[i] == HOTCOCCI_USER) {
			map(test, object, i);
			object->secret = hotcocci_bytes(test, object->size + REDZONE);
		} else {
			object->bytes = PAGE_ALIGN(max(object->size, 1UL));
			object->memory = vzalloc(object->bytes);
			KUNIT_ASSERT_NOT_NULL(test, object->memory);
		}
		object->initial = hotcocci_bytes(test, object->bytes);
		object->before = hotcocci_bytes(test, object->bytes);
		object->after = hotcocci_bytes(test, object->bytes);
	}
}

/* After an oops, memory stays allocated to the test that died. */
void hotcocci_release(struct run *run)
{
	unsigned int i, page;

	for (i = 0; i < run->subject->parameters; i++) {
		struct object *object = &run->objects[i];

		vfree(object->memory);
		for (page = 0; page < object->bytes / PAGE_SIZE && object->page; page++)
			put_page(object->page[page]);
	}
}
