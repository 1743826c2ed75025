# SPDX-License-Identifier: GPL-2.0
"""The HTML page, in a headless browser without network."""

import re
import time
from dataclasses import replace

from hotcocci.findings import Saves
from hotcocci.output import html

# A selenium webdriver.Chrome, which is slow to import
ABOUT = html.About("hotcocci lint fs", "6.12.1", "2026-11-26", {"too cold": 412})
PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
"""More findings than all rules have in Linux 6.12."""


def page(found):
    folders = {file: file.partition("/")[0] for file in found.texts}
    return html.page(
        found.tree,
        found.findings,
        found.rewrites,
        found.skipped,
        found.texts,
        folders,
        ABOUT,
    )


def rows(browser, column="place"):
    """Text of one table column, row by row."""
    cells = browser.find_elements("css selector", f"#findings td.{column}")
    return [cell.text.replace("\n", " ") for cell in cells]


def press(browser, selector):
    button = browser.find_element("css selector", selector)
    browser.execute_script("arguments[0].click()", button)
    return button


FIRST = "fs/a b.c:3 first()"
SECOND = "fs/a b.c:9 second()"
REPORTS = ["drivers/char/b.c:11 second()", "drivers/char/b.c:12 second()"]


def test_the_summary_counts(found, opened):
    browser = opened(page(found))
    totals = browser.find_element("class name", "totals").text
    assert totals == "4 findings, 1 worth it; 2 files skipped; not shown: 412 too cold"
    header = browser.find_element("tag name", "header").text
    assert header.endswith("hotcocci lint fs, Linux 6.12.1, 2026-11-26")
    lines = browser.find_elements("css selector", "table.counts tr")
    assert [line.text for line in lines] == [
        "subsystem UA101 UA102 all rewrites",
        "drivers 2 2 0",
        "fs 2 2 2",
    ]


def test_filters(found, opened):
    browser = opened(page(found))
    search = browser.find_element("name", "text")
    search.send_keys("FIRST a")
    assert rows(browser) == [FIRST]
    search.send_keys(" nothing")
    assert rows(browser) == []
    press(browser, "button[type=reset]")
    time.sleep(0.05)  # the handler clears the fields after the event
    assert len(rows(browser)) == 4
    browser.find_element("css selector", "[name=tag] [value='report/']").click()
    assert rows(browser) == REPORTS
    browser.find_element("css selector", "[name=tag] [value='']").click()
    press(browser, "button[data-subsystem=fs][data-rule=UA101]")
    assert rows(browser) == [FIRST, SECOND]


def test_sorting(found, opened):
    browser = opened(page(found))
    button = press(browser, "[data-sort=place]")
    head = button.find_element("xpath", "..")
    assert rows(browser) == [*REPORTS, FIRST, SECOND]
    assert head.get_attribute("aria-sort") == "ascending"
    press(browser, "[data-sort=place]")
    assert rows(browser) == [SECOND, FIRST, *REPORTS[::-1]]
    # The third time, it is the order of the page again.
    press(browser, "[data-sort=place]")
    assert rows(browser) == [FIRST, SECOND, *REPORTS]
    press(browser, "[data-sort=share]")
    assert rows(browser)[-1] == FIRST
    assert head.get_attribute("aria-sort") is None
    press(browser, "[data-sort=saves]")
    assert rows(browser) == [FIRST, SECOND, *REPORTS]
    press(browser, "[data-sort=saves]")
    assert rows(browser)[-1] == FIRST


def test_a_rewrite_has_its_diff_in_colour(found, opened):
    browser = opened(page(found))
    buttons = browser.find_elements("css selector", "td.message button")
    assert len(buttons) == 2
    buttons[1].click()
    lines = browser.find_elements("css selector", "pre span")
    by_class = {line.get_attribute("class"): line for line in lines}
    assert by_class["added"].get_attribute("textContent") == "+\t/* für */\n"
    assert by_class["removed"].get_attribute("textContent") == "-\tget_user(b, p);\n"
    assert by_class["hunk"].text.startswith("@@ -6,9 +6,9 @@")
    assert lines[0].text.startswith("--- a/fs/a b.c")
    context = [line.get_attribute("textContent") for line in lines]
    assert " \t\treturn 1; /* </script><b>bold</b> & more */\n" in context
    colours = {
        kind: line.value_of_css_property("background-color")
        for kind, line in by_class.items()
    }
    assert len(set(colours.values())) == 4
    assert "A note." in browser.find_element("css selector", "tr.rewrite").text
    buttons[1].click()
    assert browser.find_elements("css selector", "pre") == []


def test_a_phone_scrolls_vertically_only(found, opened, browser):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    opened(page(found))
    for button in browser.find_elements("css selector", "td.message button"):
        button.click()
    for details in browser.find_elements("tag name", "summary"):
        details.click()
    width = browser.execute_script("return document.documentElement.scrollWidth")
    assert width == PHONE["width"]
    small = "return parseFloat(getComputedStyle(document.querySelector('td.message')).fontSize)"
    assert browser.execute_script(small) >= 16


def test_the_best_come_first(found, opened):
    cold = [replace(f, share=None, share_at_most=None) for f in found.findings]
    cold[0] = replace(cold[0], saves=Saves(90, 300, 197.3), per="per poll()")
    browser = opened(page(replace(found, findings=(*cold[::-1],), rewrites=())))
    assert [tag.split("/")[0] for tag in rows(browser, "tag")] == [
        *("rewrite", "rewrite", "report", "report")
    ]
    assert rows(browser)[0] == f"{FIRST} per poll()"
    # As in the text: an estimate has two digits.
    assert rows(browser, "number")[0] == "~200"
    assert "Best first: by cycles saved" in browser.page_source
    assert "Diffs are not compiled or checked" in browser.page_source


def test_the_keyboard_and_a_screen_reader(found, opened, browser):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    opened(page(found))
    toggle = browser.find_element("css selector", "td.message button")
    assert toggle.accessible_name == f"diff of {FIRST.partition(' first')[0]}"
    # Shown as blocks, rows and cells are still those of a table.
    table = browser.find_element("id", "findings")
    assert (table.aria_role, table.accessible_name) == ("table", "Findings")
    roles = {e.aria_role for e in table.find_elements("css selector", "tbody *[role]")}
    # Empty cells are not shown.
    assert roles - {"none"} == {"row", "rowheader", "cell"}
    press(browser, "th button[data-subsystem]")
    focused = "return document.activeElement.id"
    assert browser.execute_script(focused) == "findings-title"


def test_the_page_is_self_contained(found):
    document = page(found)
    assert not re.search(r"""(?:src|href)=|url\(|@import|https?:""", document)
    assert document == page(found)
    assert document.isascii()
