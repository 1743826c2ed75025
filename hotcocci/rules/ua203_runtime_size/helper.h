{# SPDX-License-Identifier: GPL-2.0 #}
{# The helpers as jinja2 writes them: see helpers() in __init__.py, which gives the names. #}
/* Whether {{ names.read }}() and {{ names.write }}() copy this inline */
static __always_inline bool {{ test }}(const void *kernel,
					       const void __user *user,
					       unsigned long n)
{
	switch (n) {
{% for size in narrow %}
	case {{ size }}:
{% endfor %}
		break;
{% for size in wide %}
	case {{ size }}:
{% endfor %}
		/* It would take too many words of 32 bits. */
		if (IS_ENABLED(CONFIG_64BIT))
			break;
		fallthrough;
	default:
		return false;
	}
	return !IS_ENABLED(CONFIG_FAULT_INJECTION_USERCOPY) &&
	       (IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS) ||
		IS_ALIGNED((unsigned long)kernel | (unsigned long)user,
			   sizeof(long)));
}

{% for way in ways %}
{% set reads = way.direction == "read" %}
{% set to, from = ("kernel", "user") if reads else ("user", "kernel") %}
{% set kernel, user, base = ("to", "from", "src") if reads else ("from", "to", "dst") %}
{% set into, of = ("", " __user") if reads else (" __user", "") %}
{% set access, to_user = ("unsafe_get_user", "false") if reads else ("unsafe_put_user", "true") %}
/**
 * {{ names[way.direction] }} - {{ way.copied }}() of a size that is often small
 * @to: Destination address, in {{ to }} space.
 * @from: Source address, in {{ from }} space.
 * @n: Number of bytes to copy.
 *
{% for line in way.said %}
 * {{ line }}
{% endfor %}
 *
 * Context: User context only.
 *
 * Return: Number of bytes that could not be copied; 0 on success.
 */
static __always_inline __must_check unsigned long
{{ names[way.direction] }}(void{{ into }} *to, const void{{ of }} *from, unsigned long n)
{
	const unsigned long{{ of }} *src = from;
	unsigned long{{ into }} *dst = to;
	unsigned long words;

	if (!{{ test }}({{ kernel }}, {{ user }}, n))
		goto general;
	might_fault();
	if (!check_copy_size({{ kernel }}, n, {{ to_user }}))
		return n;

	words = n / sizeof(long);
{% if api == "scoped" %}
	{{ way.scope }}_size({{ base }}, n, general) {
{% elif api == "masked" %}
	if (can_do_masked_user_access())
		{{ base }} = masked_user_access_begin({{ base }});
	else if (!{{ way.begin }}({{ base }}, n))
		goto general;
{% else %}
	if (!{{ way.begin }}({{ base }}, n))
		goto general;
{% endif %}
{% filter indent("	" if api == "scoped" else "", first=true) %}
	switch (words) {
{% for left in range(words, 0, -1) %}
	case {{ left }}:
{% set place = "[words - %d]" % left %}
		{{ access }}({{ "dst%s, &src%s" % (place, place) if reads else "src%s, &dst%s" % (place, place) }}, {{ label }});
		{{ "fallthrough" if left > 1 else "break" }};
{% endfor %}
{% if 4 in narrow %}
	case 0:
		{{ access }}({{ "*(u32 *)dst, (const u32 __user *)src" if reads else "*(const u32 *)src, (u32 __user *)dst" }}, {{ label }});
		break;
{% endif %}
	}
{% endfilter %}
{% if api == "scoped" %}
	}
	return 0;
{% else %}
	{{ way.end }}();
	return 0;
efault:
	{{ way.end }}();
{% endif %}
general:
	return {{ way.copied }}(to, from, n);
}

{% endfor %}
