// @ts-check
/**
 * The service worker, served at `/service-worker.js`: with it the page opens without a connection, and tells the user of a turn.
 *
 * It keeps nothing that the API answers. What a table was like last is kept by the page (people/sign_in/kept_tables.js), which knows who is signed in.
 */

import { keepFiles } from "./files.js";
import { showPushes } from "./pushes.js";
import { answerRequests } from "./requests.js";

keepFiles();
answerRequests();
showPushes();
