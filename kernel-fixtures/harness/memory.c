// SPDX-License-Identifier: GPL-2.0
/* User memory, the accesses to it, and the rules of windows: see fixture/memory.h */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fixture/arguments.h>
#include <fixture/memory.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#define USER_START	0x10000ul
#define USER_SIZE	0x8000ul
#define USER_END	(USER_START + USER_SIZE)
#define PAGE		4096ul
#define MAX_EVENTS	2000
/* bytes of an access that are told */
#define SHOWN		64

static unsigned char user_bytes[USER_SIZE];
static size_t object_bytes;

static struct {
	bool open;
	bool masked;
	bool any_end;
	/* a masked window has no size: the first access must be near its base */
	bool touched;
	enum user_direction direction;
	unsigned long start;
	unsigned long size;
} window;

static bool masking;
static unsigned int accesses, events, fault_at, serial;
/* The bytes whose access was made to fault, which fault again */
static unsigned long faulted;
static size_t faulted_bytes;
static char trace[MAX_EVENTS * 160];
static size_t trace_length;

static void __attribute__((noreturn, format(printf, 1, 2))) violation(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fputs("violation: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputs("\n", stderr);
	exit(3);
}

static void __attribute__((format(printf, 1, 2))) record(const char *format, ...)
{
	va_list arguments;

	if (++events > MAX_EVENTS)
		violation("endless: more than %u accesses and calls", MAX_EVENTS);
	va_start(arguments, format);
	trace_length += vsnprintf(trace + trace_length, sizeof(trace) - trace_length,
				  format, arguments);
	va_end(arguments);
}

static bool inside_object(unsigned long at, size_t width, unsigned long object)
{
	return at >= object && width <= object_bytes && at - object <= object_bytes - width;
}

static bool mapped(unsigned long at, size_t width)
{
	return inside_object(at, width, USER_FIRST_OBJECT) ||
	       inside_object(at, width, USER_SECOND_OBJECT);
}

static void check_window(unsigned long at, size_t width, enum user_direction direction,
			 enum user_access_kind kind)
{
	if (kind == USER_WHOLE) {
		if (window.open)
			violation("whole access to %#lx with a window open", at);
		return;
	}
	if (!window.open)
		violation("unsafe access to %#lx outside a window", at);
	if (!(window.direction & direction))
		violation("%s of %#lx in a window that cannot",
			  direction == USER_READ ? "load" : "store", at);
	if (!window.masked) {
		if (at < window.start || width > window.size ||
		    at - window.start > window.size - width)
			violation("access to %#lx+%zu outside the window %#lx+%lu", at, width,
				  window.start, window.size);
	} else if (at < window.start || (!window.touched && at - window.start >= PAGE)) {
		violation("first access to %#lx is far from the masked base %#lx", at,
			  window.start);
	}
	window.touched = true;
}

/* Where the access goes, or NULL for a fault */
static unsigned char *locate(unsigned long at, size_t width)
{
	if (++accesses == fault_at) {
		faulted = at;
		faulted_bytes = width;
	}
	if ((at < faulted + faulted_bytes && faulted < at + width) || !mapped(at, width))
		return NULL;
	return user_bytes + (at - USER_START);
}

static void record_access(const char *name, unsigned long at, size_t width,
			  const unsigned char *bytes)
{
	record(" %s:%#lx:", name, at);
	if (!bytes)
		record("fault:%zu", width);
	for (size_t i = 0; bytes && i < width; i++)
		record("%02x", bytes[i]);
}

bool user_load(void *to, const volatile void __user *from, size_t width,
	       enum user_access_kind kind)
{
	unsigned long at = (unsigned long)from;
	unsigned char *bytes;

	check_window(at, width, USER_READ, kind);
	bytes = locate(at, width);
	record_access("load", at, width, bytes);
	if (!bytes)
		return false;
	memcpy(to, bytes, width);
	return true;
}

bool user_store(volatile void __user *to, const void *from, size_t width,
		enum user_access_kind kind)
{
	unsigned long at = (unsigned long)to;
	unsigned char *bytes;

	check_window(at, width, USER_WRITE, kind);
	bytes = locate(at, width);
	if (bytes)
		memcpy(bytes, from, width);
	record_access("store", at, width, bytes);
	return bytes;
}

static bool range_ok(unsigned long at, size_t size)
{
	return size <= USER_END && at <= USER_END - size;
}

bool user_range_ok(const volatile void __user *base, size_t size)
{
	if (window.open)
		violation("range check with a window open");
	return range_ok((unsigned long)base, size);
}

static void open_window(unsigned long at, size_t size, enum user_direction direction)
{
	if (window.open)
		violation("window begun with a window open");
	memset(&window, 0, sizeof(window));
	window.start = at;
	window.size = size;
	window.direction = direction;
	window.open = true;
}

bool user_window_begin(const volatile void __user *base, size_t size,
		       enum user_direction direction)
{
	unsigned long at = (unsigned long)base;

	if (window.open)
		violation("window begun with a window open");
	if (!range_ok(at, size))
		return false;
	open_window(at, size, direction);
	return true;
}

void __user *user_window_begin_masked(const volatile void __user *base,
				      enum user_direction direction, bool any_end)
{
	unsigned long at = (unsigned long)base;

	if (!masking)
		violation("masked window on a machine without masking");
	if (at > USER_END)
		at = USER_END;
	open_window(at, 0, direction);
	window.masked = true;
	window.any_end = any_end;
	return (void __user *)at;
}

void user_window_end(enum user_direction direction)
{
	if (!window.open)
		violation("window ended with none open");
	if (window.direction != direction && !window.any_end)
		violation("window of one direction ended as another");
	window.open = false;
}

unsigned long user_window_save(void)
{
	bool open = window.open;

	window.open = false;
	return open;
}

void user_window_restore(unsigned long state)
{
	window.open = state;
}

bool user_masking(void)
{
	return masking;
}

void fixture_pure_call(const char *name)
{
	if (window.open)
		violation("call of %s with a window open", name);
}

void fixture_call(const char *name)
{
	fixture_pure_call(name);
	record(" %s()", name);
}

/* What the cases may call */

void audit(struct karg *k)
{
	fixture_call("audit");
	k->total++;
}

struct uarg __user *user_area(struct karg *k)
{
	fixture_call("user_area");
	return k->user;
}

u32 next_serial(struct karg *k)
{
	(void)k;
	fixture_call("next_serial");
	return ++serial;
}

u32 encode(u32 value)
{
	fixture_pure_call("encode");
	return (value << 8) ^ (value >> 3);
}

void mutex_lock(struct mutex *lock)
{
	fixture_call("mutex_lock");
	if (lock->held++)
		violation("mutex taken twice");
}

void mutex_unlock(struct mutex *lock)
{
	fixture_call("mutex_unlock");
	if (!lock->held--)
		violation("mutex released twice");
}

void spin_lock(spinlock_t *lock)
{
	fixture_call("spin_lock");
	lock->held++;
}

void spin_unlock(spinlock_t *lock)
{
	fixture_call("spin_unlock");
	lock->held--;
}

void *kmalloc(size_t size, unsigned int flags)
{
	(void)flags;
	fixture_call("kmalloc");
	return malloc(size);
}

void kfree(const void *p)
{
	fixture_call("kfree");
	free((void *)p);
}

void check_object_size(const void *object, unsigned long n, bool to_user)
{
	(void)to_user;
	fixture_pure_call("check_object_size");
	if (!object || !n)
		violation("check of an object that is none");
}

void pagefault_disable(void)
{
	fixture_call("pagefault_disable");
}

void pagefault_enable(void)
{
	fixture_call("pagefault_enable");
}

void cond_resched(void)
{
	fixture_call("cond_resched");
}

bool in_compat_syscall(void)
{
	fixture_pure_call("in_compat_syscall");
	return serial & 1;
}

/* For the driver */

void user_memory_reset(size_t object_size, unsigned int seed)
{
	memset(&window, 0, sizeof(window));
	memset(user_bytes, 0, sizeof(user_bytes));
	object_bytes = object_size;
	accesses = events = fault_at = 0;
	faulted = faulted_bytes = 0;
	serial = seed;
	trace_length = 0;
	trace[0] = '\0';
}

void user_memory_fault_at(unsigned int ordinal)
{
	fault_at = ordinal;
}

void user_memory_set_masking(bool value)
{
	masking = value;
}

void *user_memory_object(unsigned long address)
{
	return user_bytes + (address - USER_START);
}

unsigned int user_memory_accesses(void)
{
	return accesses;
}

const char *user_memory_trace(void)
{
	return trace;
}

bool user_window_is_closed(void)
{
	return !window.open;
}
