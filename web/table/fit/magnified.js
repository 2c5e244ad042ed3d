// @ts-check
/**
 * Whether somebody has everything shown larger: by the size of text, or by zooming so far that hand and question alone would fill
 * the window. Then nothing is made to fit: it is as large as it was asked to be, and the page scrolls (magnified.css).
 */

/** Pixels of the root's text, which are 16 usually, from which on it is large. */
const LARGE_TEXT = 24;
/** Pixels of the window's height below which no table fits: a phone on its side has 360. */
const LOW = 300;

/** Whether that is so now. */
export function isMagnified() {
  return innerHeight < LOW || parseFloat(getComputedStyle(document.documentElement).fontSize) >= LARGE_TEXT;
}

/** Notes it at the root of the page, for the styles. @returns {boolean} whether it is so */
export function noteMagnified() {
  return document.documentElement.classList.toggle("magnified", isMagnified());
}
