// @ts-check
/** What this browser stores: settings permanently, secrets only until the tab is closed. */

/** What is kept whoever is signed in. */
const SETTINGS = ["hand", "language", "theme"];

/** @param {string} key @returns {string | null} */
export function load(key) {
  return read(() => localStorage.getItem(`tegami.${key}`));
}

/** @param {string} key @param {string | null} value  null removes it */
export function save(key, value) {
  write(() => localStorage, key, value);
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
  for (const where of [() => localStorage, () => sessionStorage]) {
    const names = read(() => JSON.stringify(Object.keys(where()))) ?? "[]";
    for (const [, key] of names.matchAll(/"tegami\.([^"]+)"/g)) if (!SETTINGS.includes(key)) write(where, key, null);
  }
}

/** A browser may forbid storage; the page then works without it. @param {() => string | null} get */
function read(get) {
  try {
    return get();
  } catch {
    return null;
  }
}

/** @param {() => Storage} where @param {string} key @param {string | null} value */
function write(where, key, value) {
  try {
    if (value === null) where().removeItem(`tegami.${key}`);
    else where().setItem(`tegami.${key}`, value);
  } catch {
    // see `read`
  }
}
