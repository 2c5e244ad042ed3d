// @ts-check
/**
 * Whether somebody has everything shown larger: by the size of text, or by zooming so far that hand and question alone would fill
 * the window. Then nothing is made to fit: it is as large as it was asked to be, and the page scrolls (magnified.css).
 */

/** Pixels of the root's text, which are 16 usually, from which on it is large. */
const LARGE_TEXT = 18;
/**
 * Pixels of a window that is that small only by zooming: upright a phone is higher, and on its side it is wider, also if the bar
 * of its browser leaves it 280 in height; 400 % of 1280 × 1024 are 320 × 256.
 */
const LOW = { width: 560, height: 300 };
/** What has the focus while a keyboard on the screen takes half of the window: that makes nothing larger. */
const TYPED_IN = "textarea, input:not([type=checkbox], [type=radio], [type=range])";

/** Whether that is so now. */
export function isMagnified() {
  const root = document.documentElement;
  if (parseFloat(getComputedStyle(root).fontSize) >= LARGE_TEXT) return true;
  if (document.activeElement?.matches(TYPED_IN)) return root.classList.contains("magnified");
  return innerWidth < LOW.width && innerHeight < LOW.height;
}

/** Notes it at the root of the page, for the styles. @returns {boolean} whether it is so */
export function noteMagnified() {
  return document.documentElement.classList.toggle("magnified", isMagnified());
}
