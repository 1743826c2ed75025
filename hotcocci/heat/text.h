/* SPDX-License-Identifier: GPL-2.0 */
/* Pieces of text, and vectors. */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* They stay from file to file, so that few files allocate. */
#define VECTOR(tag, type)           \
	struct tag {                \
		type *at;           \
		size_t used, room;  \
	}
#define RESERVE(vector, more) \
	((vector).at = grown((vector).at, (vector).used + (more), &(vector).room, sizeof(*(vector).at)))
#define ADD(vector, ...) (RESERVE(vector, 1), (vector).at[(vector).used++] = __VA_ARGS__)

static inline void *grown(void *at, size_t needed, size_t *room, size_t size)
{
	if (needed > *room) {
		*room = 2 * needed;
		at = realloc(at, *room * size);
		if (!at)
			abort();
	}
	return at;
}

struct text {
	const char *at, *end;
};

static inline bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Most of the time goes into words: a table takes half of that of four comparisons. */
static const bool WORD[256] = {
	['0' ... '9'] = true, ['A' ... 'Z'] = true, ['_'] = true, ['a' ... 'z'] = true
};

static inline bool is_word(char c)
{
	return WORD[(unsigned char)c];
}

static inline bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline size_t length(struct text text)
{
	return text.end - text.at;
}

static inline bool same(struct text one, struct text other)
{
	return length(one) == length(other) && !memcmp(one.at, other.at, length(one));
}

/* Most differ in the first character. */
static inline bool is(struct text text, const char *word)
{
	return length(text) && *text.at == *word && same(text, (struct text){ word, word + strlen(word) });
}

static inline bool starts(const char *at, const char *end, const char *with)
{
	return at < end && *at == *with && (size_t)(end - at) >= strlen(with) && !memcmp(at, with, strlen(with));
}

/* Whether a character is at a place that may be the end. */
static inline bool has(const char *at, const char *end, char c)
{
	return at < end && *at == c;
}

/* memmem() takes longer for few characters. */
static inline const char *find(struct text text, const char *word)
{
	for (const char *c = text.at; (c = memchr(c, *word, text.end - c)); c++)
		if (starts(c, text.end, word))
			return c;
	return NULL;
}

/* The last place of two characters. */
static inline const char *find_last(struct text text, const char *pair)
{
	const char *at = text.end;

	while ((at = memrchr(text.at, pair[1], at - text.at)))
		if (at > text.at && at[-1] == pair[0])
			return at - 1;
	return NULL;
}

static inline const char *line_end(const char *at, const char *end)
{
	const char *found = memchr(at, '\n', end - at);

	return found ? found : end;
}

static inline const char *spaces(const char *at, const char *end)
{
	while (at < end && is_space(*at))
		at++;
	return at;
}

/* The word at a place, perhaps an empty one. */
static inline struct text word(const char *at, const char *end)
{
	struct text found = { at, at };

	while (found.end < end && is_word(*found.end))
		found.end++;
	return found;
}

/* The next word from a place between words on; empty at the end. */
static inline struct text next_word(const char *at, const char *end)
{
	while (at < end && !is_word(*at))
		at++;
	return word(at, end);
}

/* All words of a text in turn. */
#define EACH_WORD(w, of) (struct text w = next_word((of).at, (of).end); length(w); w = next_word(w.end, (of).end))

/* Whether a bracket follows, perhaps after blanks. */
static inline bool is_called(struct text name, const char *end)
{
	return has(spaces(name.end, end), end, '(');
}

/* The string of a list that a text is; NULL if it is none. */
#define AMONG(list, text) among(list, COUNT(list), text)

static inline const char *among(const char *const *list, size_t count, struct text text)
{
	for (size_t i = 0; i < count; i++)
		if (is(text, list[i]))
			return list[i];
	return NULL;
}
