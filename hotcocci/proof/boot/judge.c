// SPDX-License-Identifier: GPL-2.0
/*
 * Compare two calls, and print what differs.
 */
#include "run.h"

#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

static const char *const place_names[] = {
	[INSIDE] = "in user memory",
	[OVER_END] = "bytes before unmapped memory",
	[OVER_START] = "bytes of unmapped memory, then mapped",
	[OVER_READ_ONLY] = "bytes before read-only memory",
	[WILD] = "no user memory",
};

void hotcocci_print_input(const struct run *run)
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

static void print_outcome(const struct run *run, const char *side, const struct outcome *outcome)
{
	pr_emerg("hotcocci: trace %s %s: returns %ld (%#lx)%s%s%s%s\n", run->subject->name, side,
		 (long)outcome->value, outcome->value, outcome->faulted ? ", an access faults" : "",
		 outcome->flags & AC ? ", user access left open" : "",
		 outcome->irqs_off ? ", interrupts left off" : "",
		 outcome->faults_off ? ", page faults left off" : "");
}

/* Print the first byte of each object that differs. */
static void print_bytes(const struct run *run)
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
			/* Skip the hole before the area, and the one inside it. */
			address += object->start + PAGE_SIZE;
			if (byte >= object->pages * PAGE_SIZE)
				address += PAGE_SIZE;
			/* The target of a wild pointer is not recorded. */
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
	hotcocci_print_input(run);
	print_outcome(run, "before", &run->before);
	print_outcome(run, "after", &run->after);
	print_bytes(run);
}

/*
 * Count the permitted differences after a fault, return any other: get_user() stores zero, a
 * window does not write the variable; a function that accumulates errors continues, a window
 * ends; a copy stops at another byte than single accesses.
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
				return object->memory ? "kernel memory differs" :
							"user memory differs";
		}
	}
	run->zeroed += zeroed;
	run->later += later;
	run->parts += parts;
	return NULL;
}

/* A window refuses kernel addresses, which __put_user() and friends do not check. */
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

void hotcocci_judge(struct run *run)
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
		differ(run, "the return values differ");
	else if ((what = judge_bytes(run, failed)))
		differ(run, what);
}
