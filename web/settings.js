// @ts-check
/** What a reader sets for this browser: language, and dark or light. */

import { attempt } from "./notice.js";
import { changeMe, player } from "./player.js";
import { load, save } from "./store.js";
import { speak } from "./words.js";

export const THEMES = ["auto", "light", "dark"];

/** @type {() => void} */
let changed = () => {};

/** Calls `then` when the page has to be written anew. @param {() => void} then */
export function onSettings(then) {
  changed = then;
}

/** The theme that was chosen; "auto" is the device's. */
export function theme() {
  return load("theme") ?? "auto";
}

/** @param {string} wished */
export function setTheme(wished) {
  save("theme", wished === "auto" ? null : wished);
  applyTheme();
  changed();
}

export function applyTheme() {
  if (theme() === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme();
}

/** Dark if it is light now, and the other way round. */
export function otherTheme() {
  const dark = theme() === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : theme() === "dark";
  return dark ? "light" : "dark";
}

/** @param {string} wished */
export async function setLanguage(wished) {
  save("language", wished);
  await attempt(async () => {
    await speak(wished);
    if (player()) await changeMe({ language: wished });
  });
  changed();
}
