// A program on top of the client that openapi-typescript and openapi-fetch make of the document.
//
//     node player.ts SERVER RULESET HOUSE    plays a game against house players, and prints its id

import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./tegami.d.ts";

declare const process: { argv: string[] };
type Game = components["schemas"]["Game"];

const LONGEST = 90_000; // milliseconds for a game
const [server, ruleset, house] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: server });

/** What an answer holds; a refusal ends the program. */
function held<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** The game after one action of one's own, or after a look. */
async function step(game: Game): Promise<Game> {
  const params = { path: { game_id: game.id } };
  if (game.legal.length === 0) {
    await new Promise((done) => setTimeout(done, game.poll_after * 1000));
  } else {
    const { action } = game.legal[Math.floor(Math.random() * game.legal.length)];
    const body = { asked: game.asked!, action };
    const { data, error } = await client.POST("/api/games/{game_id}/actions", { params, body });
    if (data) return data.game;
    if (error.type !== "/problems/stale") throw new Error(error.title);
  }
  return held(await client.GET("/api/games/{game_id}", { params }));
}

const program = { name: "Generated", token: "game", program: true };
const made = held(await client.POST("/api/players", { body: program }));
if (!made.token) throw new Error("no token");
const token = made.token.secret;
const signedIn: Middleware = {
  onRequest({ request }) {
    request.headers.set("Authorization", `Bearer ${token}`);
  },
};
client.use(signedIn);
const wish = { ruleset, house: Number(house), level: "easy", start: "full" } as const;
const opened = held(await client.POST("/api/games", { body: wish }));
const drawn = crypto.randomUUID().replaceAll("-", ""); // the table starts with it
const nonce = { params: { path: { game_id: opened.id } }, body: { nonce: drawn } };
let game = held(await client.PUT("/api/games/{game_id}/nonce", nonce));
const until = Date.now() + LONGEST;
while (game.status !== "over" && Date.now() < until) game = await step(game);
if (!game.result?.words) throw new Error(game.status);
console.log(game.id);
