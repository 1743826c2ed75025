// SPDX-License-Identifier: GPL-2.0
// The table of findings: filtered, sorted, and shown a hundred rows at a time.
"use strict";
(() => {
	const PAGE = 100;
	const entries = JSON.parse(document.getElementById("data").textContent);
	const form = document.getElementById("filter");
	const body = document.querySelector("#findings tbody");
	const more = document.getElementById("more");
	const heads = [...document.querySelectorAll("#findings th button")];
	const BANDS = ["worth it", "perhaps", "new code", "cold", ""];
	const has = (column) => heads.some((head) => head.dataset.sort === column);
	const sort = { key: "", down: false };
	let chosen = [];
	let rows = 0;

	const order = new Intl.Collator("en", { numeric: true });
	const heat = (entry) => entry.share ?? entry.atMost ?? -1;
	const keys = {
		place: (a, b) => order.compare(a.file, b.file) || a.line - b.line,
		rule: (a, b) => order.compare(a.rule, b.rule),
		tag: (a, b) => order.compare(a.tag, b.tag),
		band: (a, b) => BANDS.indexOf(a.band) - BANDS.indexOf(b.band),
		saves: (a, b) => (a.saves ?? -Infinity) - (b.saves ?? -Infinity),
		share: (a, b) => heat(a) - heat(b),
		subsystem: (a, b) => order.compare(a.subsystem, b.subsystem),
		message: (a, b) => order.compare(a.message, b.message),
	};

	const element = (name, kind, text) => {
		const made = document.createElement(name);
		made.className = kind;
		made.textContent = text;
		return made;
	};

	const samples = (entry) => {
		if (entry.share !== null)
			return entry.share.toFixed(2) + "%";
		return entry.atMost === null ? "" : "\u2264 " + entry.atMost.toFixed(2) + "%";
	};

	// A line is broken after a slash only, never within "file.c:12".
	const breakable = (text) => {
		const made = document.createDocumentFragment();
		for (const part of text.split(/(?<=\/)/))
			made.append(part, document.createElement("wbr"));
		return made;
	};
	const where = (entry) => entry.file + ":" + entry.line;
	const name = (entry) => entry.rule + ":" + where(entry);
	const place = (entry) => {
		const made = document.createDocumentFragment();
		const code = element("a", "where", "");
		code.href = "#" + new URLSearchParams({ at: name(entry) });
		code.append(breakable(where(entry)));
		made.append(code);
		if (entry.function)
			made.append(" ", element("span", "function", entry.function + "()"));
		if (entry.per)
			made.append(" ", element("span", "per", entry.per));
		return made;
	};

	const KINDS = { "+": "added", "-": "removed", "@": "hunk" };
	const shown = (diff) => {
		const code = element("code", "diff", "");
		for (const line of diff.replace(/\n$/, "").split("\n"))
			code.append(element("span", KINDS[line[0]] ?? "", line + "\n"));
		const pre = document.createElement("pre");
		// It may be wider than the screen: let the keyboard scroll it.
		pre.tabIndex = 0;
		pre.append(code);
		return pre;
	};

	// Without permission, and on a page that is a file.
	const copy = (diff) => {
		const button = element("button", "copy", "copy");
		button.type = "button";
		button.addEventListener("click", () => {
			getSelection().selectAllChildren(diff);
			document.execCommand("copy");
			button.textContent = "copied";
		});
		return button;
	};

	// Most diffs are never opened: create one on demand, in a row of its own.
	const toggle = (entry) => {
		const button = element("button", "", "diff");
		button.type = "button";
		button.setAttribute("aria-expanded", "false");
		button.setAttribute("aria-label", button.textContent + " of " + where(entry));
		button.addEventListener("click", () => {
			const own = button.closest("tr");
			const open = button.getAttribute("aria-expanded") === "true";
			button.setAttribute("aria-expanded", String(!open));
			if (open) {
				own.nextElementSibling.remove();
				return;
			}
			const added = element("tr", "rewrite", "");
			added.setAttribute("role", "row");
			const made = cell(added, "", "");
			made.colSpan = own.cells.length;
			const diff = shown(entry.diff);
			made.append(...entry.notes.map((note) => element("p", "note", note)), copy(diff), diff);
			own.after(added);
		});
		return button;
	};

	const cell = (row, kind, content, name) => {
		const made = row.insertCell();
		made.className = kind;
		// As blocks on a small screen, cells would lose their meaning.
		made.setAttribute("role", "cell");
		if (name)
			made.dataset.name = name;
		made.append(content);
		return made;
	};

	const row = (entry) => {
		const made = document.createElement("tr");
		made.setAttribute("role", "row");
		made.id = name(entry);
		cell(made, "place", place(entry)).setAttribute("role", "rowheader");
		cell(made, "rule", entry.rule);
		cell(made, "tag " + entry.tag.split("/")[0], breakable(entry.tag));
		cell(made, "band " + entry.band.replace(" ", "-"), entry.band, "worth");
		cell(made, "number", entry.saves === null ? "" : "~" + entry.saves, "cycles saved");
		if (has("share"))
			cell(made, "number", samples(entry), "samples");
		cell(made, "subsystem", entry.subsystem, "subsystem");
		const message = cell(made, "message", entry.message);
		message.append(...entry.benched.map((said) => element("p", "note", said)));
		if (entry.diff)
			message.append(" ", toggle(entry));
		return made;
	};

	const show = () => {
		body.append(...chosen.slice(rows, rows + PAGE).map(row));
		rows = Math.min(rows + PAGE, chosen.length);
		more.hidden = rows === chosen.length;
		document.getElementById("shown").textContent =
			chosen.length + " of " + entries.length + " findings" + (more.hidden ? "" : ", the first " + rows + " shown");
	};

	// What is shown can be linked.
	const remember = (wanted) => {
		const state = Object.entries({ ...wanted, sort: (sort.down ? "-" : "") + sort.key });
		const set = new URLSearchParams(state.filter(([, value]) => value && value !== "-"));
		history.replaceState(null, "", "#" + set);
	};

	const recall = () => {
		const known = new URLSearchParams(location.hash.slice(1));
		for (const field of form.querySelectorAll("[name]"))
			field.value = known.get(field.name) ?? "";
		const by = known.get("sort") ?? "";
		sort.down = by.startsWith("-");
		sort.key = by.replace("-", "");
		update(known.get("at"));
	};

	const find = (at) => {
		const index = chosen.findIndex((entry) => name(entry) === at);
		while (index >= rows)
			show();
		const own = index < 0 ? null : document.getElementById(at);
		own?.querySelector("td.message button[aria-expanded=false]")?.click();
		own?.scrollIntoView();
	};

	const update = (at) => {
		const wanted = Object.fromEntries(new FormData(form));
		if (at === undefined)
			remember(wanted);
		const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
		chosen = entries.filter((entry) => {
			const said = [entry.file, entry.function, entry.message].join(" ").toLowerCase();
			return (!wanted.rule || entry.rule === wanted.rule)
				&& entry.tag.startsWith(wanted.tag)
				&& (!wanted.band || entry.band === wanted.band)
				&& (!wanted.subsystem || entry.subsystem === wanted.subsystem)
				&& words.every((word) => said.includes(word));
		});
		for (const head of heads) {
			const own = head.dataset.sort === sort.key;
			head.closest("th").toggleAttribute("aria-sort", own);
			if (own)
				head.closest("th").setAttribute("aria-sort", sort.down ? "descending" : "ascending");
		}
		if (keys[sort.key]) {
			const sign = sort.down ? -1 : 1;
			chosen.sort((a, b) => sign * keys[sort.key](a, b));
		}
		body.replaceChildren();
		rows = 0;
		show();
		if (at)
			find(at);
	};

	for (const head of heads) {
		head.addEventListener("click", () => {
			// Numbers in descending order first; the third time, best first again.
			const numbers = ["saves", "share"].includes(head.dataset.sort);
			const again = sort.key === head.dataset.sort;
			sort.key = again && sort.down !== numbers ? "" : head.dataset.sort;
			sort.down = again ? !sort.down : numbers;
			update();
		});
	}
	for (const button of document.querySelectorAll("button[data-subsystem]")) {
		button.addEventListener("click", () => {
			form.elements.subsystem.value = button.dataset.subsystem;
			form.elements.rule.value = button.dataset.rule ?? "";
			update();
			const title = document.getElementById("findings-title");
			title.scrollIntoView();
			title.focus({ preventScroll: true });
		});
	}
	form.elements.text.addEventListener("input", () => update());
	for (const select of form.querySelectorAll("select"))
		select.addEventListener("change", () => update());
	form.addEventListener("submit", (event) => event.preventDefault());
	// The fields are cleared after the event.
	form.addEventListener("reset", () => setTimeout(() => update()));
	more.addEventListener("click", show);
	// Paper has no buttons: all that is chosen, with its diffs.
	addEventListener("beforeprint", () => {
		while (rows < chosen.length)
			show();
		for (const button of body.querySelectorAll("td.message button[aria-expanded=false]"))
			button.click();
	});
	addEventListener("hashchange", recall);
	recall();
})();
