"""Many modules become one that does the same; the whole page is tried in a browser."""

from __future__ import annotations

import pytest

from service.web.page.files.joining import Cycle, LateInLate, join_modules, join_sheets

MODULES = {
    "app.js": """// @ts-check
/** Says so. */
import { a, b as c } from "./low/a.js";
import { d } from "./low/d.js";
say(a, c, d);
""",
    "low/a.js": """import { d } from "./d.js";

export const a = 1; // one
/** Two. @returns {number} */
export async function b() {
  return d;
}
export class E {}
""",
    "low/d.js": """/** @type {number} */ let n = 0;
const text = "no comment; // at all";
export const d = () => n += 1;
""",
}


def test_modules_come_after_those_that_they_import_and_lose_their_comments():
    assert join_modules("app.js", MODULES.__getitem__) == "\n".join(
        (
            "const $m0 = (() => {",
            "let n = 0;",
            'const text = "no comment; // at all";',
            "const d = () => n += 1;",
            "return {d};",
            "})();",
            "const $m1 = (() => {",
            "const {d} = $m0;",
            "const a = 1;",
            "async function b() {",
            "return d;",
            "}",
            "class E {}",
            "return {a, b, E};",
            "})();",
            "const $m2 = (() => {",
            "const {a, b: c} = $m1;",
            "const {d} = $m0;",
            "say(a, c, d);",
            "return {};",
            "})();",
            "",
        )
    )


def test_modules_that_import_each_other_are_refused():
    modules = {
        "a.js": 'import { b } from "./b.js";\n',
        "b.js": 'import { a } from "./a.js";\n',
    }
    with pytest.raises(Cycle, match=r"a\.js → b\.js → a\.js"):
        join_modules("a.js", modules.__getitem__)


LATER = {
    "app.js": """import { base } from "./base.js";
base();
const open = async () => (await import("./low/a.js")).a;
const other = async () => (await import("./low/b.js")).b;
""",
    "base.js": "export const base = 1;\n",
    "both.js": 'import { base } from "./base.js";\nexport const both = base;\n',
    "low/a.js": """/** @typedef {import("./b.js").B} B */
import { base } from "../base.js";
import { both } from "../both.js";
import { own } from "./own.js";
export const a = base + both + own;
""",
    "low/b.js": 'import { both } from "../both.js";\nexport const b = both;\n',
    "low/own.js": "export const own = 1;\n",
}


def test_what_is_loaded_later_is_a_function_of_what_is_there():
    published = {}

    def publish(name, text):
        published[name] = text
        return f"/{name}"

    first = join_modules("app.js", LATER.__getitem__, publish)
    assert "const both" in first, "what two files need is in the first"
    assert first.index("const both") < first.index("const open"), "and there before it is asked for"
    assert "const own" not in first
    assert '(await $late("/a.js", $m0, $m1)).a' in first
    assert published == {
        "a.js": "\n".join(
            (
                "export default ($m0, $m1) => {",
                "const $m3 = (() => {",
                "const own = 1;",
                "return {own};",
                "})();",
                "const $m4 = (() => {",
                "const {base} = $m0;",
                "const {both} = $m1;",
                "const {own} = $m3;",
                "const a = base + both + own;",
                "return {a};",
                "})();",
                "return $m4;",
                "};",
                "",
            )
        ),
        "b.js": "\n".join(
            (
                "export default ($m0, $m1) => {",
                "const $m3 = (() => {",
                "const {both} = $m1;",
                "const b = both;",
                "return {b};",
                "})();",
                "return $m3;",
                "};",
                "",
            )
        ),
    }


def test_what_is_there_already_is_not_made_again():
    texts = []
    modules = {
        "app.js": 'import { a } from "./a.js";\nimport("./a.js");\n',
        "a.js": "export const a = {};\n",
    }
    joined = join_modules(
        "app.js", modules.__getitem__, lambda name, text: texts.append(text) or "/a"
    )
    assert joined.count("const a = {}") == 1
    assert texts == ["export default ($m0) => {\nreturn $m0;\n};\n"]


@pytest.mark.parametrize(
    ("low", "publish"),
    [
        ('export const low = () => import("./lower.js");\n', lambda name, text: f"/{name}"),
        ("export const low = 1;\n", None),
    ],
    ids=["later still", "a single file"],
)
def test_what_is_loaded_later_loads_nothing_later_still(low, publish):
    modules = {"app.js": 'import("./low.js");\n', "low.js": low, "lower.js": ""}
    with pytest.raises(LateInLate, match=r"low\.js"):
        join_modules("app.js", modules.__getitem__, publish)


def test_sheets_keep_their_order():
    sheets = {
        "all.css": '/* All. */\n@import url("./low/a.css");\n@import url("./b.css");\ni { top: 3px }\n',
        "low/a.css": "a { top: 1px }\n",
        "b.css": '@import url("./low/a.css");\nb { top: 2px }\n',
    }
    joined = join_sheets("all.css", sheets.__getitem__)
    assert joined.split() == "a { top: 1px } b { top: 2px } i { top: 3px }".split()
