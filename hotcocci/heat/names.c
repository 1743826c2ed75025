// SPDX-License-Identifier: GPL-2.0
/* The names of a file, lists of its own functions, and text that is written. */
#include <stdarg.h>

#include "reader.h"

struct names names;
struct elements elements;
static VECTOR(buckets, unsigned int) buckets;
/* The text of names that the file has not, or not for long. */
static struct buffer made;

static const char *const KEYWORDS[] = { "if",	  "while",    "for",	  "switch",  "return",	 "sizeof",	"typeof",
					"__typeof__", "likely", "unlikely", "defined", "offsetof", "container_of" };
/* Calls that are unconditional only where something went wrong; the first, in a whole function. */
static const char *const FATAL[] = { "pr_emerg", "pr_alert", "pr_crit", "pr_err", "panic", "BUG", "die", "dump_stack" };
static const char *const ALARMS[] = { "dev_err", "dev_crit", "netdev_err" };
static const char *const REGISTERS[] = { REGISTERED };

static size_t bucket_of(struct text text, char mark)
{
	size_t hash = 5381 + mark;

	for (const char *c = text.at; c < text.end; c++)
		hash = hash * 33 + (unsigned char)*c;
	for (hash ^= hash >> 17;; hash++) {
		size_t bucket = hash & (buckets.used - 1);
		const struct name *name = &names.at[buckets.at[bucket]];

		if (name == names.at || (name->mark == mark && same(name->text, text)))
			return bucket;
	}
}

static void rehash(size_t number)
{
	buckets.used = 0;
	RESERVE(buckets, number);
	buckets.used = number;
	memset(buckets.at, 0, number * sizeof(*buckets.at));
	for (unsigned int i = 1; i < names.used; i++)
		buckets.at[bucket_of(names.at[i].text, names.at[i].mark)] = i;
}

/* Forget all names, for a file of this size without comments. */
void begin_names(size_t size)
{
	names.used = made.used = 0;
	/* Names point into it, so that it may not grow. */
	RESERVE(made, 2 * size + 64);
	ADD(names, (struct name){ .mark = 0 });
	rehash(256);
}

/* The number of a name that the file has had already; 0 otherwise. */
unsigned int known(struct text text)
{
	return buckets.at[bucket_of(text, 0)];
}

/* The number of a name. */
unsigned int named(struct text text, char mark)
{
	size_t bucket = bucket_of(text, mark);

	if (buckets.at[bucket])
		return buckets.at[bucket];
	ADD(names, (struct name){ .text = text,
				  .mark = mark,
				  .is_keyword = AMONG(KEYWORDS, text),
				  .is_alarm = AMONG(ALARMS, text),
				  .is_fatal = AMONG(FATAL, text),
				  .registers = !mark && AMONG(REGISTERS, text) });
	buckets.at[bucket] = names.used - 1;
	if (2 * names.used > buckets.used)
		rehash(2 * buckets.used);
	return names.used - 1;
}

static int by_text(const void *a, const void *b)
{
	struct text one = names.at[*(const unsigned int *)a].text, other = names.at[*(const unsigned int *)b].text;
	size_t shorter = length(one) < length(other) ? length(one) : length(other);
	int order = memcmp(one.at, other.at, shorter);

	return order ? order : (length(one) > shorter) - (length(other) > shorter);
}

void sort_elements(size_t first)
{
	if (elements.used > first)
		qsort(elements.at + first, elements.used - first, sizeof(*elements.at), by_text);
}

/* Add the functions of the file that a text names to the elements, in the order of their names. */
void add_elements(struct text text)
{
	static unsigned int list;
	size_t first = elements.used;
	struct text w = { NULL, text.at };

	for (list++; w.end < text.end;) {
		unsigned int name;

		w = word(w.end, text.end);
		/* What has capitals first is a constant, or a macro that may paste the rest into a name. */
		while (length(w) && !is_lower(*w.at) && *w.at != '_')
			w.at++;
		name = length(w) ? known(w) : 0;
		if (name && names.at[name].own && names.at[name].listed != list) {
			names.at[name].listed = list;
			ADD(elements, name);
		}
		w.end += !length(w) && w.end < text.end;
	}
	sort_elements(first);
}

/* A name that the text of the file has not, or not for long. Room for all was made before. */
struct text kept(const char *before, struct text name, const char *after)
{
	char *start = made.at + made.used;

	say_text(&made, before, strlen(before));
	say_text(&made, name.at, length(name));
	say_text(&made, after, strlen(after));
	return (struct text){ start, made.at + made.used };
}

/* Output */

void say_text(struct buffer *to, const char *at, size_t size)
{
	RESERVE(*to, size);
	memcpy(to->at + to->used, at, size);
	to->used += size;
}

void say(struct buffer *to, const char *format, ...)
{
	va_list arguments;
	int size;

	va_start(arguments, format);
	size = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	RESERVE(*to, size + 1);
	va_start(arguments, format);
	vsnprintf(to->at + to->used, size + 1, format, arguments);
	va_end(arguments);
	to->used += size;
}

#define TEXT(text) (int)length(text), (text).at

