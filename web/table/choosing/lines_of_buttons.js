// @ts-check
/** How many lines of buttons a list of options takes, before it is drawn. */

/** The width of a line on a phone of 360 and beside the hand on a desk, of a letter, and of what is around the words of a button: pixels. */
export const ON_A_PHONE = 330;
export const ON_A_DESK = 440;
const LETTER = 7.6;
const AROUND = 24;

/** The most lines that stand in the bottom panel beside a hand, and those that need no smaller buttons. */
export const MOST_LINES = 4;
export const FEW_LINES = 2;

/** Letters of Chinese and Japanese take the room of two others. */
const WIDE = /[\u3000-\u9fff\uff00-\uffef]/gu;

/** How many narrow letters take the room of a text. @param {string} text */
export function lettersOf(text) {
  return text.length + (text.match(WIDE)?.length ?? 0);
}

/** @param {string[]} words  those of each button, in order @param {number} [line]  its width */
export function linesOf(words, line = ON_A_PHONE) {
  let [lines, left] = [0, 0];
  for (const each of words) {
    const width = AROUND + LETTER * lettersOf(each);
    const own = Math.ceil(width / line); // words that are longer than a line are wrapped
    if (width > left) [lines, left] = [lines + own, own * line];
    left -= width;
  }
  return lines;
}
