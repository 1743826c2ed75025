// SPDX-License-Identifier: GPL-2.0
/*
 * Calls both versions of a function with the same arguments, the same user memory and the same
 * kernel memory, and compares all that can be seen of them afterwards.
 *
 * User memory of each pointer, N pages each between pages that are not mapped:
 *
 *	hole | writable | hole | writable | read only | hole
 *
 * so that an object can be slid over the end, the start, and the end of what can be written.
 */
#include "driver.h"

#include <linux/kdebug.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <asm/cpufeature.h>

#define AREA_BASE 0x10000000UL	/* below 4 GiB, for pointers of 32 bits */
#define AREA_STRIDE 0x1000000UL
#define POOL SZ_64K
#define REDZONE 64UL
#define MOST_OFFSETS 1024UL
#define REPEATS 6
#define INSIDE_RUNS 256
#define AC BIT(18)
#define MEANT_FOR_NOBODY 0x5a5a5a5aUL	/* CR2 before a call */

enum place { INSIDE, OVER_END, OVER_START, OVER_READ_ONLY, WILD, PLACES };

static const char *const place_names[] = {
	[INSIDE] = "in user memory",
	[OVER_END] = "bytes before unmapped memory",
	[OVER_START] = "bytes of unmapped memory, then mapped",
	[OVER_READ_ONLY] = "bytes before read-only memory",
	[WILD] = "no user memory",
};

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

/* How many functions to leave out: those of an earlier boot, the last of which hung. */
static unsigned int skipped;
core_param(hotcocci_skip, skipped, uint, 0444);

/* For whoever has to tell what an Oops was about. */
static struct run *running;

static void tell_input(const struct run *run)
{
	const struct hotcocci_subject *subject = run->subject;
	unsigned int i;

	for (i = 0; i < subject->parameters; i++) {
		bool moved = subject->kinds[i] == HOTCOCCI_USER && i == run->moved;

		pr_emerg("hotcocci: trace %s argument %u: %#lx%s", subject->name, i + 1,
			 run->arguments[i],
			 subject->kinds[i] == HOTCOCCI_RECORD ? " (kernel structure)" : "");
		if (subject->kinds[i] != HOTCOCCI_USER)
			pr_cont("\n");
		else if (moved && run->place != INSIDE && run->place != WILD)
			pr_cont(" (%lu %s)\n", run->offset, place_names[run->place]);
		else
			pr_cont(" (%s)\n", place_names[moved ? run->place : INSIDE]);
	}
}

static int died(struct notifier_block *block, unsigned long why, void *data)
{
	if (running && why == DIE_OOPS) {
		pr_emerg("hotcocci: died %s %s\n", running->subject->name, running->side);
		tell_input(running);
		running = NULL;
	}
	return NOTIFY_DONE;
}

static struct notifier_block on_death = { .notifier_call = died };

/* Bytes of four kinds: nothing, all bits, small words, and anything. */
static void contents(struct run *run, u8 *bytes, unsigned long size)
{
	unsigned long done, part, i;
	unsigned int kind = prandom_u32_state(&run->random) % 6;

	for (done = 0; done < size; done += part) {
		part = min(size - done, POOL / 2);
		memcpy(bytes + done,
		       run->pool + prandom_u32_state(&run->random) % (POOL / 2), part);
	}
	if (kind < 2)
		memset(bytes, kind ? 0xff : 0, size);
	else if (kind == 2)
		for (i = 0; i < size; i++)
			bytes[i] = i % 4 ? 0 : bytes[i] % 16;
}

static unsigned long scalar(struct run *run, unsigned long size)
{
	static const unsigned long usual[] = {
		0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 4095,
		4096, INT_MAX, INT_MIN, UINT_MAX, LONG_MAX, LONG_MIN, -1UL, -2UL, -EFAULT,
	};
	const struct hotcocci_subject *subject = run->subject;
	u32 random = prandom_u32_state(&run->random);

	switch (prandom_u32_state(&run->random) % 4) {
	case 0:
	case 1:
		if (subject->constant_count)
			return subject->constants[random % subject->constant_count];
		fallthrough;
	case 2:
		return usual[random % ARRAY_SIZE(usual)];
	default:
		return (unsigned long)prandom_u32_state(&run->random) << 32 | random;
	}
}

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

#define WILD_NUMBERS 10

static unsigned long user_address(const struct object *object, enum place place,
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

static void restore(struct run *run)
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

static void keep(struct run *run, bool after)
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

static struct outcome call(struct run *run, unsigned long (*function)(const unsigned long *),
			   bool after)
{
	struct outcome outcome;
	unsigned long address;

	run->side = after ? "after" : "before";
	restore(run);
	asm volatile("mov %0, %%cr2" : : "r" (MEANT_FOR_NOBODY));
	running = run;
	outcome.value = function(run->arguments);
	/* At once: the next call of an accessor closes what was left open. */
	asm volatile("pushfq\n\tpopq %0" : "=r" (outcome.flags) : : "memory");
	asm volatile("clac" : : : "memory");
	running = NULL;
	asm volatile("mov %%cr2, %0" : "=r" (address));
	outcome.faulted = address != MEANT_FOR_NOBODY;
	outcome.irqs_off = irqs_disabled();
	outcome.faults_off = pagefault_disabled();
	keep(run, after);
	return outcome;
}

static void tell_outcome(const struct run *run, const char *side, const struct outcome *outcome)
{
	pr_emerg("hotcocci: trace %s %s: returns %ld (%#lx)%s%s%s%s\n", run->subject->name, side,
		 (long)outcome->value, outcome->value, outcome->faulted ? ", an access faults" : "",
		 outcome->flags & AC ? ", user access left open" : "",
		 outcome->irqs_off ? ", interrupts left off" : "",
		 outcome->faults_off ? ", page faults left off" : "");
}

/* The first byte that differs, as a line. */
static void tell_bytes(const struct run *run)
{
	unsigned long byte;
	unsigned int i;

	for (i = 0; i < run->subject->parameters; i++) {
		const struct object *object = &run->objects[i];
		unsigned long address;

		for (byte = 0; byte < object->bytes; byte++)
			if (object->before[byte] != object->after[byte])
				break;
		if (byte == object->bytes)
			continue;
		address = byte;
		if (object->memory) {
			address -= object->bytes - object->size;
		} else {
			/* The hole in front, and the one between. */
			address += object->start + PAGE_SIZE;
			if (byte >= object->pages * PAGE_SIZE)
				address += PAGE_SIZE;
			/* What a wild pointer points to is not seen. */
			if (i != run->moved || run->place != WILD)
				address -= run->arguments[i];
		}
		pr_emerg("hotcocci: trace %s %s memory of argument %u, byte %ld: %#x at first, %#x before, %#x after the change\n",
			 run->subject->name, object->memory ? "kernel" : "user", i + 1,
			 (long)address, object->initial[byte], object->before[byte],
			 object->after[byte]);
	}
}

static void differ(struct run *run, const char *what)
{
	if (run->different)
		return;
	run->different = true;
	pr_emerg("hotcocci: different %s %s\n", run->subject->name, what);
	tell_input(run);
	tell_outcome(run, "before", &run->before);
	tell_outcome(run, "after", &run->after);
	tell_bytes(run);
}

/*
 * What may differ once an access has failed: get_user() stores zero then, and a window leaves its
 * variable alone; a function that collects the errors goes on, where a window ends; and a copy is
 * cut off at another byte than single accesses are.
 */
static const char *judge_bytes(struct run *run, bool failed)
{
	unsigned int i;
	unsigned long byte;
	bool zeroed = false, later = false, parts = false;

	for (i = 0; i < run->subject->parameters; i++) {
		const struct object *object = &run->objects[i];

		if (!object->bytes || !memcmp(object->before, object->after, object->bytes))
			continue;
		for (byte = 0; byte < object->bytes; byte++) {
			u8 before = object->before[byte], after = object->after[byte];

			if (before == after)
				continue;
			if (failed && object->memory && !before &&
			    after == object->initial[byte])
				zeroed = true;
			else if (failed && run->subject->collects &&
				 after == object->initial[byte])
				later = true;
			else if (failed && run->subject->copies &&
				 (after == object->initial[byte] ||
				  before == object->initial[byte] ||
				  (object->memory && (!before || !after))))
				parts = true;
			else
				return object->memory ? "kernel memory" : "user memory";
		}
	}
	run->zeroed += zeroed;
	run->later += later;
	run->parts += parts;
	return NULL;
}

/* A window refuses an address of the kernel that __put_user() and its kin would have taken. */
static bool refused(const struct run *run)
{
	unsigned int i;

	if (!run->subject->unchecked || run->place != WILD || run->after.value != -EFAULT)
		return false;
	for (i = 0; i < run->subject->parameters; i++) {
		const struct object *object = &run->objects[i];

		if (object->page && memcmp(object->after, object->initial, object->bytes))
			return false;
	}
	return run->arguments[run->moved] >= TASK_SIZE_MAX - run->objects[run->moved].size &&
	       run->before.value != run->after.value;
}

static void judge(struct run *run)
{
	const struct outcome *before = &run->before, *after = &run->after;
	bool failed = before->value && (before->faulted || run->place == WILD);
	const char *what;

	run->runs++;
	run->faults += before->faulted || after->faulted;
	if ((before->flags | after->flags) & AC)
		differ(run, "user access is left open");
	else if (before->irqs_off != after->irqs_off || before->faults_off != after->faults_off)
		differ(run, "interrupts or page faults are left off");
	else if (refused(run))
		run->checked++;
	else if (before->value != after->value)
		differ(run, "the value returned");
	else if ((what = judge_bytes(run, failed)))
		differ(run, what);
}

/* A difference says nothing of a function that does not do the same twice. */
static void repeat(struct run *run)
{
	struct outcome again = call(run, run->subject->before, true);
	bool same = again.value == run->before.value && !((again.flags ^ run->before.flags) & AC);
	unsigned int i;

	for (i = 0; i < run->subject->parameters; i++) {
		const struct object *object = &run->objects[i];

		if (object->bytes && memcmp(object->before, object->after, object->bytes))
			same = false;
	}
	if (!same)
		pr_emerg("hotcocci: unstable %s\n", run->subject->name);
}

static void once(struct run *run)
{
	const struct hotcocci_subject *subject = run->subject;
	unsigned int i;

	for (i = 0; i < subject->parameters; i++) {
		struct object *object = &run->objects[i];

		if (object->bytes)
			contents(run, object->initial, object->bytes);
		if (subject->kinds[i] == HOTCOCCI_SCALAR)
			run->arguments[i] = scalar(run, object->size);
		else if (subject->kinds[i] == HOTCOCCI_RECORD)
			run->arguments[i] = (unsigned long)object->memory + object->bytes -
					    object->size;
		else if (i == run->moved)
			run->arguments[i] = user_address(object, run->place, run->offset);
		else
			run->arguments[i] = user_address(object, INSIDE, 0);
	}
	run->before = call(run, subject->before, false);
	run->after = call(run, subject->after, true);
	judge(run);
	if (run->different)
		repeat(run);
	cond_resched();
}

static void slide(struct run *run, unsigned int moved)
{
	unsigned long size = run->objects[moved].size;
	unsigned long step = max(1UL, size / MOST_OFFSETS);
	unsigned long last, time;

	run->moved = moved;
	for (run->place = OVER_END; run->place < PLACES; run->place++) {
		last = run->place == WILD ? WILD_NUMBERS - 1 : size;
		for (run->offset = 0; run->offset <= last && !run->different;
		     run->offset += run->place == WILD ? 1 : step)
			for (time = 0; time < REPEATS && !run->different; time++)
				once(run);
	}
}

static void *bytes_for(struct kunit *test, unsigned long size)
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

	/* Pinned, so that their contents can be set and seen without a user access. */
	object->page = bytes_for(test, 3 * object->pages * sizeof(*object->page));
	for (i = 0; i < 3; i++) {
		unsigned long part = object->start + PAGE_SIZE + i * span + (i ? PAGE_SIZE : 0);

		pinned = get_user_pages_fast(part, object->pages, FOLL_WRITE | FOLL_FORCE,
					     object->page + i * object->pages);
		KUNIT_ASSERT_EQ(test, pinned, object->pages);
	}
}

static void prepare(struct kunit *test, struct run *run)
{
	const struct hotcocci_subject *subject = run->subject;
	unsigned int i;

	run->pool = bytes_for(test, POOL);
	prandom_seed_state(&run->random, 1);
	prandom_bytes_state(&run->random, run->pool, POOL);
	for (i = 0; i < subject->parameters; i++) {
		struct object *object = &run->objects[i];

		object->size = subject->sizes[i];
		if (subject->kinds[i] == HOTCOCCI_SCALAR)
			continue;
		if (subject->kinds[i] == HOTCOCCI_USER) {
			map(test, object, i);
			object->secret = bytes_for(test, object->size + REDZONE);
		} else {
			object->bytes = PAGE_ALIGN(max(object->size, 1UL));
			object->memory = vzalloc(object->bytes);
			KUNIT_ASSERT_NOT_NULL(test, object->memory);
		}
		object->initial = bytes_for(test, object->bytes);
		object->before = bytes_for(test, object->bytes);
		object->after = bytes_for(test, object->bytes);
	}
}

void hotcocci_run(struct kunit *test, const struct hotcocci_subject *subject)
{
	struct run *run = bytes_for(test, sizeof(*run));
	unsigned int i, page;

	if (subject->number < skipped)
		return;
	pr_emerg("hotcocci: begin %s\n", subject->name);
	if (!boot_cpu_has(X86_FEATURE_SMAP))
		KUNIT_FAIL_AND_ABORT(test, "this processor has no SMAP");
	run->subject = subject;
	prepare(test, run);
	for (i = 0; i < INSIDE_RUNS && !run->different; i++)
		once(run);
	for (i = 0; i < subject->parameters && !run->different; i++)
		if (subject->kinds[i] == HOTCOCCI_USER)
			slide(run, i);
	for (i = 0; i < subject->parameters; i++) {
		vfree(run->objects[i].memory);
		for (page = 0; page < run->objects[i].bytes / PAGE_SIZE && run->objects[i].page; page++)
			put_page(run->objects[i].page[page]);
	}
	pr_emerg("hotcocci: end %s runs=%lu faults=%lu zeroed=%lu later=%lu parts=%lu checked=%lu different=%d\n",
		 subject->name, run->runs, run->faults, run->zeroed, run->later, run->parts,
		 run->checked, run->different);
	KUNIT_EXPECT_FALSE(test, run->different);
}

static int __init watch(void)
{
	return register_die_notifier(&on_death);
}
core_initcall(watch);
