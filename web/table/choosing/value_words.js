// @ts-check
/**
 * Values of actions in words, for buttons and the sentence in the confirm bar.
 *
 * @typedef {import("../../base/api.js").Parameter} Parameter
 * @typedef {import("./narrowing.js").Types} Types
 * @typedef {import("./narrowing.js").Draft} Draft
 * @typedef {(seat: number) => string} SeatName
 */

import { SUIT_SIGNS, hasWords, t } from "../../base/words.js";
import { isCards } from "./action_parameters.js";

/** A value in words. @param {any} value @param {Parameter | undefined} parameter @param {SeatName} seatName @returns {string} */
export function valueText(value, parameter, seatName) {
  const worded = parameter?.values?.[String(value)];
  if (worded !== undefined) return worded;
  if (value === undefined || value === null || value.length === 0) return t("choice.without");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (parameter?.kind === "seat") return seatName(value);
  if (parameter?.kind === "suit") return t(`suit.${value}`);
  if (parameter?.kind === "rank") return rankText(value);
  if (isCards(value)) return [value].flat().map(cardText).join(" ");
  return [value].flat().join(t("comma"));
}

/** An incomplete draft in words. @param {Draft} draft @param {Types} types @param {SeatName} seatName */
export function draftText({ type, values, picked }, types, seatName) {
  const kinds = type === null ? Object.values(types) : [types[type]];
  const parameter = (/** @type {string} */ name) => kinds.flatMap(kind => kind?.parameters ?? []).find(each => each.name === name);
  return [
    type !== null && types[type]?.words,
    ...Object.entries(values).map(([name, value]) => [parameter(name)?.words, valueText(value, parameter(name), seatName)].filter(Boolean).join(t("colon"))),
    picked.map(cardText).join(" "),
  ].filter(Boolean).join(t("then"));
}

/** A card in running text: `10♦`. @param {string} code */
function cardText(code) {
  if (code === "Jk") return t("card.joker");
  return code[1] in SUIT_SIGNS ? rankText(code[0], code[0]) + SUIT_SIGNS[code[1]] : code;
}

/** @param {string} rank @param {string} [letter] */
function rankText(rank, letter) {
  if (rank === "T") return t("rank.T");
  return letter ?? (hasWords(`rank.${rank}`) ? t(`rank.${rank}`) : rank);
}
