// SPDX-License-Identifier: GPL-2.0
/*
 * Call both versions of a function with the same arguments, user memory and kernel memory, and
 * compare all visible results.
 */
#include "run.h"

#include <linux/kdebug.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/cpufeature.h>

#define MOST_OFFSETS 1024UL
#define REPEATS 6
#define INSIDE_RUNS 256
#define CR2_SENTINEL 0x5a5a5a5aUL	/* in CR2 before a call */

/* How many functions to skip: those of an earlier boot, the last of which hung. */
static unsigned int skipped;
core_param(hotcocci_skip, skipped, uint, 0444);

/* The current call, for the message on an oops. */
static struct run *running;

static int died(struct notifier_block *block, unsigned long why, void *data)
{
	if (running && why == DIE_OOPS) {
		pr_emerg("hotcocci: died %s %s\n", running->subject->name, running->side);
		hotcocci_print_input(running);
		running = NULL;
	}
	return NOTIFY_DONE;
}

static struct notifier_block on_death = { .notifier_call = died };

/* Fill with one of four kinds of bytes: zero, all ones, small words, random. */
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

static struct outcome call(struct run *run, unsigned long (*function)(const unsigned long *),
			   bool after)
{
	struct outcome outcome;
	unsigned long address;

	run->side = after ? "after" : "before";
	hotcocci_restore(run);
	asm volatile("mov %0, %%cr2" : : "r" (CR2_SENTINEL));
	running = run;
	outcome.value = function(run->arguments);
	/* First of all: the next user access would close a window that was left open. */
	asm volatile("pushfq\n\tpopq %0" : "=r" (outcome.flags) : : "memory");
	asm volatile("clac" : : : "memory");
	running = NULL;
	asm volatile("mov %%cr2, %0" : "=r" (address));
	outcome.faulted = address != CR2_SENTINEL;
	outcome.irqs_off = irqs_disabled();
	outcome.faults_off = pagefault_disabled();
	hotcocci_keep(run, after);
	return outcome;
}

/* Detect functions that are not deterministic: a difference in those means nothing. */
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
			run->arguments[i] = hotcocci_address(object, run->place, run->offset);
		else
			run->arguments[i] = hotcocci_address(object, INSIDE, 0);
	}
	run->before = call(run, subject->before, false);
	run->after = call(run, subject->after, true);
	hotcocci_judge(run);
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

void hotcocci_run(struct kunit *test, const struct hotcocci_subject *subject)
{
	struct run *run = hotcocci_bytes(test, sizeof(*run));
	unsigned int i;

	if (subject->number < skipped)
		return;
	pr_emerg("hotcocci: begin %s\n", subject->name);
	if (!boot_cpu_has(X86_FEATURE_SMAP))
		KUNIT_FAIL_AND_ABORT(test, "this processor has no SMAP");
	run->subject = subject;
	hotcocci_prepare(test, run);
	for (i = 0; i < INSIDE_RUNS && !run->different; i++)
		once(run);
	for (i = 0; i < subject->parameters && !run->different; i++)
		if (subject->kinds[i] == HOTCOCCI_USER)
			slide(run, i);
	hotcocci_release(run);
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
