// @ts-check
/**
 * The options that are open now, as buttons; cards in the hand and places on the table are picked there instead.
 *
 * @typedef {import("./narrowing.js").Reading} Reading
 * @typedef {import("./narrowing.js").Way} Way
 * @typedef {import("./narrowing.js").Step} Step
 * @typedef {import("./narrowing.js").Draft} Draft
 *
 * @typedef {object} Choosing
 * @property {Reading} reading
 * @property {import("./narrowing.js").Types} types
 * @property {Draft} draft
 * @property {number} steps  The number of steps taken.
 * @property {boolean} unsent  Whether the action was confirmed without a connection.
 * @property {string[]} changes  What the action that is ready will change, in few words.
 * @property {string | null} [whyNot]  Why what was touched last cannot be chosen.
 * @property {boolean} chosen
 * @property {import("../../base/api.js").Action | null} wanted  What a lesson has the user try.
 * @property {"cards" | "tiles"} pieces  What is in the hand.
 * @property {"cards" | "tiles" | "places" | null} tappable  What can be tapped outside the options.
 * @property {string[]} picked  Picked cards that are not in the hand.
 * @property {Way[]} [others]  What the chosen place on the table stands for besides.
 * @property {Node[]} [room]  What keeps room for the options that may come.
 * @property {(seat: number) => string} seatName
 * @property {(way: Way, step: Step) => boolean} shown  Whether a choice is made in the hand or on the table.
 * @property {(parameter: import("./narrowing.js").Parameter, value: any) => string | null} cardMeant  The card that a value means.
 * @property {(card: string) => void} putBack
 * @property {(draft: Draft) => void} choose
 * @property {() => void} undo  Takes back the last step.
 * @property {() => void} startOver
 * @property {() => void} confirm
 * @property {boolean} keeps  Whether a choice is changed, which stays as it is by taking back no step.
 * @property {(() => void) | false} orders  Opens what can be left with the service at this question.
 */

import { h } from "../../base/dom.js";
import { colourCards, t } from "../../base/words.js";
import { cardName, drawCard, drawUnlabelledCard } from "../../cards/card.js";
import { leadsToWanted } from "./action_parameters.js";
import { drawNumberField, isLongNumber } from "./number_field.js";
import { valueText } from "./value_words.js";

/** @param {Choosing} choosing */
export function drawOptions(choosing) {
  const { reading: { step }, room = [] } = choosing;
  const choices = drawChoices(choosing);
  return h("div", { className: "step", key: "step", role: step && choices ? "group" : null, "aria-label": step && choices ? nextLabel(choosing) : null }, choices, room);
}

/** The options alone. @param {Choosing} choosing */
export function drawChoices(choosing) {
  const { reading: { step }, picked, others = [] } = choosing;
  if (!step) return picked.length + others.length > 0 && h("div", { className: "options", key: "options" }, drawPickedCards(choosing), drawOthers(choosing));
  const ways = waysAsButtons(step, choosing);
  if (!isLongNumber(step, ways)) return drawButtons(ways, step, choosing);
  const { reading: { ready }, types, wanted, draft, choose, confirm } = choosing;
  const current = ready && step.parameter && draft.chosen?.action[step.parameter.name];
  const tried = ways.find(way => leadsToWanted(wanted, types, way.draft));
  const field = drawNumberField(step, ways, current ?? undefined, way => choose(way ? way.draft : { ...draft, chosen: null }), confirm);
  if (tried) field.prepend(drawOption(tried, step, choosing));
  return field;
}

/** What is to be chosen next, for the confirm bar. @param {Choosing} choosing */
export function nextLabel(choosing) {
  const { step } = choosing.reading;
  return step && labelOf(step, waysAsButtons(step, choosing), choosing);
}

/** @param {Step} step @param {Choosing} choosing */
function waysAsButtons(step, choosing) {
  return step.ways.filter(way => way.apart || !choosing.shown(way, step) && (choosing.chosen || !leadsTo(way, choosing.reading.ready)));
}

/** @param {Way[]} ways @param {Step} step @param {Choosing} choosing */
function drawButtons(ways, step, choosing) {
  const picked = step.about === "cards" ? drawPickedCards(choosing) : [];
  const others = drawOthers(choosing, ways);
  return ways.length + picked.length + others.length > 0 && h("div", { className: "options", key: "options" }, picked, ways.map(way => drawOption(way, step, choosing)), others);
}

/** @param {Choosing} choosing @param {Way[]} [ways]  what is offered anyway */
function drawOthers(choosing, ways = []) {
  const others = (choosing.others ?? []).filter(({ words }) => ways.every(way => way.words !== words));
  return others.map(way => drawOption(way, { about: "all", ways: [] }, choosing));
}

/** Spots that say where cards go, which are chosen themselves in the hand. */
const GOAL = ["each", "into"];

/** What to choose, and where. @param {Step} step @param {Way[]} ways @param {Choosing} choosing */
function labelOf(step, ways, { pieces, tappable, steps }) {
  const { about, parameter } = step;
  const onTable = (parameter?.spot && !GOAL.includes(parameter.spot.by)) || parameter?.kind === "seat" || !tappable;
  const elsewhere = ways.length < step.ways.length && (onTable ? "places" : parameter ? pieces : tappable);
  const what = about === "type" ? tappable : elsewhere;
  const tapping = what && t(ways.length ? `choice.tap.${what}.or` : `choice.tap.${what}`);
  if (about !== "value" && about !== "cards") return tapping || t("choice.all");
  return steps === 0 && tapping ? tapping : [parameter?.words, tapping].filter(Boolean).join(t("colon")); // what it is for has been asked already
}

/** Picked cards that are not in the hand stay among the options. @param {Choosing} choosing */
function drawPickedCards({ picked, putBack }) {
  return picked.map(card => h("button", {
    type: "button", className: "option of-card up", "data-control": true, key: `picked ${card}`, "aria-pressed": true, "aria-label": cardName(card), onclick: () => putBack(card),
  }, drawUnlabelledCard(card)));
}

/** @param {Way} way @param {Step} step @param {Choosing} choosing */
function drawOption(way, step, { reading, types, wanted, seatName, cardMeant, choose }) {
  const pressed = leadsTo(way, reading.ready);
  const meant = step.parameter && !way.card ? cardMeant(step.parameter, way.value) : null;
  const kind = `${way.card ? " of-card" : meant ? " with-card" : ""}${leadsToWanted(wanted, types, way.draft) ? " to-try" : ""}`;
  return h("button", {
    type: "button", className: `option${kind}`, "data-control": true, "data-card": way.card ?? null, key: JSON.stringify([way.card, way.words, way.value]),
    "aria-pressed": pressed, "aria-label": way.card && cardName(way.card), onclick: () => choose(way.draft),
  }, way.card ? drawUnlabelledCard(way.card) : [meant && drawCard(meant), h("span", {}, colourCards(optionText(way, step, seatName)))]);
}

/** Whether a choice leads to the action that is ready. @param {Way} way @param {import("../../base/api.js").Legal | null} ready */
function leadsTo({ draft: { chosen } }, ready) {
  return ready !== null && JSON.stringify(chosen?.action) === JSON.stringify(ready.action);
}

/** @param {Way} way @param {Step} step @param {(seat: number) => string} seatName */
function optionText({ words, value }, { about, parameter }, seatName) {
  if (words !== null) return words;
  if (about === "cards" && value?.length) return t("choice.enough");
  return valueText(value, parameter, seatName);
}
