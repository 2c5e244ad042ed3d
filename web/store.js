// @ts-check
/** What this browser remembers: settings for good, secrets of this visit only as long as the tab is open. */

/** @param {string} key @returns {string | null} */
export function load(key) {
  return read(() => localStorage.getItem(`tegami.${key}`));
}

/** @param {string} key @param {string | null} value  null forgets */
export function save(key, value) {
  write(() => localStorage, key, value);
}

/** As `load`, for this tab alone. @param {string} key @returns {string | null} */
export function loadHere(key) {
  return read(() => sessionStorage.getItem(`tegami.${key}`));
}

/** As `save`, for this tab alone. @param {string} key @param {string | null} value */
export function saveHere(key, value) {
  write(() => sessionStorage, key, value);
}

/** A browser may forbid storage; the page then works without a memory. @param {() => string | null} get */
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
