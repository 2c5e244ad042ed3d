"""Many modules become one that does the same; the whole page is tested in a browser."""

from __future__ import annotations

import subprocess

import pytest

from service.web.page.files.joining import Cycle, SingleFile, join_modules, join_sheets
from tests.web.support.node import PROGRAM

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
            "let n = 0;",
            'const text = "no comment; // at all";',
            "const d = () => n += 1;",
            "const a = 1;",
            "async function b() {",
            "return d;",
            "}",
            "class E {}",
            "const c = b;",
            "say(a, c, d);",
            "",
        )
    )


CLASHING = {
    "app.js": """import { a, show } from "./a.js";
import { show as other } from "./b.js";
say(a, show, other);
""",
    "a.js": """const MOST = 3;
const text = "most";
export const a = MOST;
export function show() {
  const MOST = 4;
  return MOST + text;
}
""",
    "b.js": """const MOST = 5;
const text = "text";
export function show() {
  return { text, more: MOST };
}
""",
    "c.js": """const MOST = 7;
export const c = () => MOST;
""",
}


def test_what_is_called_alike_is_kept_apart(tmp_path):
    """They do the same in one file as in several."""
    modules = {
        **CLASHING,
        "app.js": f'import {{ c }} from "./c.js";\n{CLASHING["app.js"]}say(c());\n',
    }
    joined = join_modules("app.js", modules.__getitem__)
    assert "const c = () => MOST;" in joined and "const {a, show} = (() => {" in joined
    assert "const {show: show$2} = (() => {" in joined
    file = tmp_path / "joined.mjs"
    say = "const say = (...told) => console.log(JSON.stringify(told.map(each => each.call?.() ?? each)));\n"
    file.write_text(say + joined, encoding="utf-8")
    told = subprocess.run([PROGRAM, file], capture_output=True, encoding="utf-8", check=True)
    assert told.stdout == '[3,"4most",{"text":"text","more":5}]\n[7]\n'


def test_a_module_is_the_same_text_whatever_others_are_called():
    modules = {
        "app.js": 'import { A } from "./a.js";\nconst KEPT = A.KEPT;\nsay(KEPT);\n',
        "a.js": "const KEPT = 1;\nexport const A = { KEPT };\n",
    }
    joined = join_modules("app.js", modules.__getitem__)
    assert joined.endswith("(() => {\nconst KEPT = A.KEPT;\nsay(KEPT);\n})();\n")


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
    assert "const own" not in first
    assert 'const $l0 = () => $late("/a.js", {base, both});' in first
    assert "const open = async () => (await $l0()).a;" in first
    assert published == {
        "a.js": "\n".join(
            (
                "export default ({base, both}) => {",
                "const own = 1;",
                "const a = base + both + own;",
                "return {a};",
                "};",
                "",
            )
        ),
        "b.js": "\n".join(
            (
                "export default ({both}) => {",
                "const b = both;",
                "return {b};",
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
    assert texts == ["export default ({a}) => {\nreturn {a};\n};\n"]


def test_a_file_that_is_loaded_later_loads_others_later_still():
    published = {}
    modules = {
        "app.js": 'import { base } from "./base.js";\nimport("./low.js");\nimport("./other.js");\n',
        "base.js": "export const base = 1;\n",
        "low.js": 'import { own } from "./own.js";\nexport const low = () => import("./lower.js");\n',
        "own.js": "export const own = 1;\n",
        "other.js": 'import { shared } from "./shared.js";\nexport const other = shared;\n',
        "shared.js": "export const shared = 1;\n",
        "lower.js": """import { base } from "./base.js";
import { own } from "./own.js";
import { shared } from "./shared.js";
export const lower = base + own + shared;
""",
    }
    first = join_modules(
        "app.js", modules.__getitem__, lambda name, text: published.update({name: text}) or name
    )
    assert "const shared = 1" in first, "what is needed later by one, and later still by another"
    assert '$late("low.js", {base, shared, $late})' in first, "also what that file needs"
    assert published["low.js"].startswith("export default ({base, shared, $late}) => {")
    assert '$late("lower.js", {base, own, shared})' in published["low.js"]
    assert published["lower.js"].startswith("export default ({base, own, shared}) => {")


def test_what_two_files_load_later_is_made_once():
    published = {}
    modules = {
        "app.js": 'import("./a.js");\nimport("./b.js");\n',
        "a.js": 'import("./c.js");\n',
        "b.js": 'import("./c.js");\n',
        "c.js": "export const c = {};\n",
    }
    first = join_modules(
        "app.js", modules.__getitem__, lambda name, text: published.update({name: text}) or name
    )
    texts = [first, *published.values()]
    assert sum(text.count("const c = {}") for text in texts) == 1


def test_a_single_file_loads_nothing_later():
    modules = {"app.js": 'import("./low.js");\n', "low.js": ""}
    with pytest.raises(SingleFile, match=r"low\.js"):
        join_modules("app.js", modules.__getitem__)


def test_sheets_keep_their_order():
    sheets = {
        "all.css": '/* All. */\n@import url("./low/a.css");\n@import url("./b.css");\ni { top: 3px }\n',
        "low/a.css": "a { top: 1px }\n",
        "b.css": '@import url("./low/a.css");\nb { top: 2px }\n',
    }
    joined = join_sheets("all.css", sheets.__getitem__)
    assert joined.split() == "a { top: 1px } b { top: 2px } i { top: 3px }".split()
