// @ts-check
/** What this browser stores: settings permanently, secrets only until the tab is closed. */

/** What is kept whoever is signed in. */
const SETTINGS = ["hand", "history", "language", "sound", "theme"];

/** @param {string} key @returns {string | null} */
export function load(key) {
  return read(() => localStorage.getItem(`tegami.${key}`));
}

/** @param {string} key @param {string | null} value  null removes it @returns {boolean} whether there was room */
export function save(key, value) {
  return write(() => localStorage, key, value);
}

/** The keys of what is stored permanently that begin so. @param {string} beginning */
export function storedKeys(beginning) {
  return keysIn(() => localStorage).filter(key => key.startsWith(beginning));
}

/** Like `load`, for this tab only. @param {string} key @returns {string | null} */
export function loadInTab(key) {
  return read(() => sessionStorage.getItem(`tegami.${key}`));
}

/** Like `save`, for this tab only. @param {string} key @param {string | null} value */
export function saveInTab(key, value) {
  write(() => sessionStorage, key, value);
}

/** Forgets what belongs to the person who was signed in: everything but the settings of this browser. */
export function forgetPerson() {
  forgetIn(() => localStorage);
  forgetPersonInTab();
}

/** Forgets what belongs to them in this tab: another one has done the rest. */
export function forgetPersonInTab() {
  forgetIn(() => sessionStorage);
}

/** @param {() => Storage} where */
function forgetIn(where) {
  for (const key of keysIn(where)) if (!SETTINGS.includes(key)) write(where, key, null);
}

/** What is kept whoever is signed in: to be put back where the server has had the browser clear everything. @returns {() => void} what puts it back */
export function holdSettings() {
  const held = SETTINGS.map(key => /** @type {const} */ ([key, load(key)]));
  return () => {
    for (const [key, value] of held) if (value !== null && load(key) === null) save(key, value);
  };
}

/** Calls `then` when another tab, or the server, changes what is stored permanently under a key. @param {string} key @param {() => void} then */
export function onStoredElsewhere(key, then) {
  addEventListener("storage", event => {
    if (event.key === null || event.key === `tegami.${key}`) then();
  });
}

/** @param {() => Storage} where */
function keysIn(where) {
  const names = read(() => JSON.stringify(Object.keys(where()))) ?? "[]";
  return [...names.matchAll(/"tegami\.([^"]+)"/g)].map(([, key]) => key);
}

/** A browser may forbid storage; the page then works without it. @param {() => string | null} get */
function read(get) {
  try {
    return get();
  } catch {
    return null;
  }
}

/** @param {() => Storage} where @param {string} key @param {string | null} value @returns {boolean} whether it could be written */
function write(where, key, value) {
  try {
    if (value === null) where().removeItem(`tegami.${key}`);
    else where().setItem(`tegami.${key}`, value);
    return true;
  } catch {
    return false; // see `read`
  }
}
