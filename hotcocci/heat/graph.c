// SPDX-License-Identifier: GPL-2.0
/*
 * How often each function of a tree runs, given that of its entry points.
 *
 * In Python it took a third of the time of all that graph.py does.
 */
#include "text.h"

enum { IS_FIXED = 1, IS_FATAL = 2, BY_COMMAND = 4 };
enum { OF_IOCTL = 1, OF_BOOT = 2 };

/*
 * The arrays of graph.py. A node is a function, or all functions in the slots of a name. The calls of a function,
 * the nodes of a group, the rows of a slot and the users of a row begin where the array before them says.
 */
struct graph {
	double *values;
	unsigned char *rounds;
	int *entries;
	const unsigned char *marks;
	const unsigned int *starts;
	const int *targets;
	const unsigned char *codes;
	const unsigned int *groups;
	const int *grouped;
	const unsigned int *slots;
	const double *divisors, *floors;
	const unsigned int *rows;
	const int *users;
	/* By entry. */
	const double *rates;
	const unsigned char *flags;
	/* By rounds and code: the factor, and the rounds of what is called. */
	const double *factors;
	const unsigned char *steps;
	/* Of a value that counts, and what it is multiplied with in error paths. */
	const double *least, *error;
	const unsigned int *functions, *known;
};

/* A node that has a value to hand on. */
struct waiting {
	double value;
	unsigned int turn;
	int node;
};

/* The entry of what is called through a slot where another structure may be meant. */
struct through {
	double rate;
	int slot;
};

static VECTOR(heap, struct waiting) heap;
static VECTOR(throughs, struct through) throughs;
static unsigned int turns;

/* The greatest value first, and of equal ones the first. */
static bool is_before(struct waiting one, struct waiting other)
{
	return one.value > other.value || (one.value == other.value && one.turn < other.turn);
}

static void push(int node, double value)
{
	struct waiting new = { value, turns++, node };
	size_t at = heap.used;

	ADD(heap, new);
	for (; at && is_before(new, heap.at[(at - 1) / 2]); at = (at - 1) / 2)
		heap.at[at] = heap.at[(at - 1) / 2];
	heap.at[at] = new;
}

static struct waiting pop(void)
{
	struct waiting found = heap.at[0], last = heap.at[--heap.used];
	size_t at = 0;

	for (size_t below; (below = 2 * at + 1) < heap.used; at = below) {
		below += below + 1 < heap.used && is_before(heap.at[below + 1], heap.at[below]);
		if (!is_before(heap.at[below], last))
			break;
		heap.at[at] = heap.at[below];
	}
	heap.at[at] = last;
	return found;
}

/* Let a function run so often if that is more than was known, as _raise() of graph.py. */
static void raise_to(const struct graph *g, int node, double value, int rounds, int entry)
{
	if (g->marks[node] & IS_FIXED)
		return;
	if (g->marks[node] & IS_FATAL)
		value *= *g->error;
	if (value > g->values[node] * 1.0001 && value > *g->least) {
		g->values[node] = value;
		g->rounds[node] = rounds;
		g->entries[node] = entry;
		push(node, value);
	}
}

/* Hand on what calls through a slot have to the functions in it. */
static void share(const struct graph *g, int node)
{
	unsigned int slot = node - *g->functions;
	int entry = g->entries[node], known = *g->known;

	for (unsigned int row = g->slots[slot]; row < g->slots[slot + 1]; row++) {
		double part = g->values[node] / g->divisors[row];
		double rate = entry < known ? g->rates[entry] : throughs.at[entry - known].rate;

		/* bpf() is not "per polled file" for a slot named func. */
		if (part < g->floors[row] * rate) {
			entry = known + throughs.used;
			ADD(throughs, (struct through){ rate, slot });
		}
		for (unsigned int user = g->rows[row]; user < g->rows[row + 1]; user++)
			raise_to(g, g->users[user], part, g->rounds[node], entry);
	}
}

/* Hand on what a function has to all that it calls. */
static void spread(const struct graph *g, int node)
{
	int entry = g->entries[node], flags = entry < (int)*g->known ? g->flags[entry] : 0;
	/* The commands that any file takes are set-up. */
	bool by_command = flags & OF_IOCTL || g->marks[node] & BY_COMMAND;
	size_t steps = 256 * g->rounds[node];
	double value = g->values[node];

	for (unsigned int call = g->starts[node - 1]; call < g->starts[node]; call++) {
		unsigned char code = g->codes[call];
		double heat = value * g->factors[steps + code];
		int target = g->targets[call], rounds = g->steps[steps + code];
		const int *each = &g->targets[call], *end = each + 1;

		/* Another command than the one that leads here. */
		if (by_command && code >= IN_CASE)
			heat *= *g->error;
		/* What is named at boot is registered, to be called later. */
		if (heat <= *g->least || (code == NAMED && flags & OF_BOOT))
			continue;
		if (target < 0) {
			each = &g->grouped[g->groups[~target]];
			end = &g->grouped[g->groups[~target + 1]];
		}
		for (; each < end; each++)
			if (heat > g->values[*each])
				raise_to(g, *each, heat, rounds, entry);
	}
}

/* Hand on what the nodes have that wait, in this order; returns the entries that follow those known. */
const struct through *solve(const struct graph *g, const int *nodes, const double *values, size_t count)
{
	heap.used = throughs.used = turns = 0;
	for (size_t i = 0; i < count; i++)
		push(nodes[i], values[i]);
	while (heap.used) {
		struct waiting now = pop();

		if (now.value != g->values[now.node])
			continue;
		if ((unsigned int)now.node < *g->functions)
			spread(g, now.node);
		else
			share(g, now.node);
	}
	ADD(throughs, (struct through){ 0, -1 });
	return throughs.at;
}
