"""Many modules become one that does the same; the whole page is tried in a browser."""

from __future__ import annotations

import pytest

from service.page_files.joining import Cycle, join_modules, join_sheets

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
            "",
            "return {d};",
            "})();",
            "const $m1 = (() => {",
            "const { d } = $m0;",
            "",
            "const a = 1;",
            "async function b() {",
            "return d;",
            "}",
            "class E {}",
            "",
            "return {a, b, E};",
            "})();",
            "const $m2 = (() => {",
            "const { a, b: c } = $m1;",
            "const { d } = $m0;",
            "say(a, c, d);",
            "",
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


def test_sheets_keep_their_order():
    sheets = {
        "all.css": '/* All. */\n@import url("./low/a.css");\n@import url("./b.css");\ni { top: 3px }\n',
        "low/a.css": "a { top: 1px }\n",
        "b.css": '@import url("./low/a.css");\nb { top: 2px }\n',
    }
    joined = join_sheets("all.css", sheets.__getitem__)
    assert joined.split() == "a { top: 1px } b { top: 2px } i { top: 3px }".split()
