// @ts-check
/**
 * The answers that came with the document, so that nothing has to be asked for before the first screen is drawn. Each is used
 * once, in place of the request for it; whatever may have changed them makes them useless.
 *
 * @typedef {{status: number, data: any, etag: string | null}} Answer
 */

/** By path. @type {Map<string, HTMLScriptElement>} */
let answers = new Map();
for (const each of /** @type {NodeListOf<HTMLScriptElement>} */ (document.querySelectorAll("script[data-path]"))) answers.set(each.dataset.path ?? "", each);

/** Whether the document brought an answer to a GET of this path. @param {string} path */
export function hasFirstAnswer(path) {
  return answers.has(path);
}

/** The first path, among those whose answers the document brought, that begins so: how much it holds, the server says. @param {string} beginning @returns {string | null} */
export function firstAnswerPath(beginning) {
  return [...answers.keys()].find(path => path.startsWith(beginning)) ?? null;
}

/** The answer to a GET of this path in this language, if the document brought it. @param {string} path @param {string} language @returns {Answer | null} */
export function takeFirstAnswer(path, language) {
  const found = answers.get(path);
  answers.delete(path);
  if (!found || found.lang !== language) return null;
  return { status: 200, data: JSON.parse(found.text), etag: found.dataset.etag ?? null };
}

/** From now on everything is asked for: something was changed, or another screen is shown. */
export function dropFirstAnswers() {
  answers = new Map();
}
