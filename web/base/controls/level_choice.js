// @ts-check
/** The choice of how well house players play. */

import { t } from "../words.js";
import { singleChoice } from "./single_choice.js";

/** From the weakest. */
const LEVELS = ["easy", "normal", "strong"];
export const USUAL_LEVEL = "normal";

/** @param {string} current */
export function levelChoice(current) {
  return singleChoice("level", t("new-table.level"), LEVELS.map(level => ({ value: level, title: levelName(level) })), current);
}

/** The level that was chosen. @param {ParentNode} [form] */
export function chosenLevel(form = document) {
  const chosen = /** @type {HTMLInputElement | null} */ (form.querySelector("input[name=level]:checked"));
  return chosen ? LEVELS[Number(chosen.value)] : undefined;
}

/** @param {string} level */
export function levelName(level) {
  return t(`level.${level}`);
}
