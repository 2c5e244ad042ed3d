// @ts-check
/** A short sound when it becomes the user's turn at a table that is open; only in browsers in which it was wished for. */

import { load, save } from "../browser_storage.js";

const STORAGE_KEY = "sound";
/** Of the two tones: hertz, and the seconds after which each begins. */
const TONES = [[660, 0], [880, .14]];
const SECONDS = .35;
const LOUDNESS = .12;
/** @type {AudioContext | undefined} */
let context;

export function isSoundOn() {
  return load(STORAGE_KEY) === "on";
}

/** @param {boolean} on */
export function setSound(on) {
  save(STORAGE_KEY, on ? "on" : null);
  playSound(); // which also makes the browser allow it later
}

/** Browsers let a page sound only once it has been touched. */
export function playSound() {
  if (!isSoundOn() || !("AudioContext" in self)) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const [pitch, after] of TONES) playTone(context, pitch, context.currentTime + after);
}

/** @param {AudioContext} audio @param {number} pitch @param {number} from */
function playTone(audio, pitch, from) {
  const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = pitch;
  loudness.gain.setValueAtTime(LOUDNESS, from);
  loudness.gain.exponentialRampToValueAtTime(.001, from + SECONDS);
  tone.connect(loudness).connect(audio.destination);
  tone.start(from);
  tone.stop(from + SECONDS);
}
