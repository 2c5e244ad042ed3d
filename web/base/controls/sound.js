// @ts-check
/** Short, soft sounds at a table that is open, which the browser makes itself; only in browsers in which they were wished for. */

import { load, save } from "../browser_storage.js";

/** @typedef {"turn" | "card" | "coin" | "reveal" | "win"} Sound */

const STORAGE_KEY = "sound";
/** Of each tone: hertz, and the seconds after which it begins. @type {Record<Sound, [number, number][]>} */
const TONES = {
  turn: [[660, 0], [880, .14]],
  card: [[196, 0]],
  coin: [[1319, 0], [1760, .07]],
  reveal: [[440, 0], [554, .1], [659, .2]],
  win: [[523, 0], [659, .13], [784, .26], [1047, .39]],
};
/** For how long a tone is heard: cards and coins are shorter than what is told. @type {Partial<Record<Sound, number>>} */
const SECONDS = { card: .09, coin: .18 };
const USUAL_SECONDS = .35;
const LOUDNESS = .12;
/** @type {AudioContext | undefined} */
let context;

export function isSoundOn() {
  return load(STORAGE_KEY) === "on";
}

/** @param {boolean} on */
export function setSound(on) {
  save(STORAGE_KEY, on ? "on" : null);
  playSound("turn"); // which also makes the browser allow it later
}

/** Browsers let a page sound only once it has been touched. @param {Sound} sound */
export function playSound(sound) {
  if (!isSoundOn() || !("AudioContext" in self)) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const [pitch, after] of TONES[sound]) playTone(context, pitch, context.currentTime + after, SECONDS[sound] ?? USUAL_SECONDS);
}

/** @param {AudioContext} audio @param {number} pitch @param {number} from @param {number} seconds */
function playTone(audio, pitch, from, seconds) {
  const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = pitch;
  loudness.gain.setValueAtTime(LOUDNESS, from);
  loudness.gain.exponentialRampToValueAtTime(.001, from + seconds);
  tone.connect(loudness).connect(audio.destination);
  tone.start(from);
  tone.stop(from + seconds);
}
