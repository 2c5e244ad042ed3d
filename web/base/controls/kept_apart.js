// @ts-check
/** Sitting down beside somebody from whom a block keeps the user apart: they are asked first, in words that do not say who has blocked whom. */

import { Problem } from "../api.js";
import { t } from "../words.js";
import { confirmDialog } from "./confirm_dialog.js";

/** Sits down; if somebody there and the user are kept apart, only if they confirm. @template T @param {(more: {anyway?: true}) => Promise<T>} sit @returns {Promise<T | undefined>} undefined: they think better of it */
export async function sitOrAsk(sit) {
  try {
    return await sit({});
  } catch (problem) {
    if (!(problem instanceof Problem && problem.slug === "kept-apart")) throw problem;
    if (!await confirmDialog(t("kept-apart"), [problem.message, problem.detail].join(t("colon")), t("kept-apart.do"))) return undefined;
  }
  return sit({ anyway: true });
}
