// @ts-check
/**
 * Talk at a table: one channel for those who sit there, one for those who look on; what is new is counted until it was seen.
 *
 * @typedef {{reads: boolean, writes: boolean, last: number, read: number, unread: number}} Channel
 * @typedef {{rule: string | null, seats: Channel, spectators: Channel, poll_after: number}} State
 * @typedef {"seats" | "spectators"} ChannelName
 * @typedef {{id: string, number: number, seat: number | null, tenure: string | null, name: string, you: boolean, at: string, text: string | null, hidden: boolean}} Message
 * @typedef {{messages: Message[], next: string | null}} Page
 */

import { Problem, ask, get } from "./api.js";
import { follow } from "./follow.js";
import { Notes } from "./notes.js";
import { tell, worded } from "./notice.js";
import { player } from "./player.js";
import { drawTalk } from "./talking.js";

/** @type {ChannelName[]} */
export const CHANNELS = ["seats", "spectators"];
/** Seconds between looks, at least. */
const LEAST = 1;
/** Seconds between looks whether the reader has sat down or signed in meanwhile. */
const WITHOUT = 3;
/** Ms after which messages are loaded anew: the host may have hidden one. */
const AGAIN = 10_000;

export class Talk {
  /** @type {State | null} */
  state = null;
  /** @type {ChannelName | null} */
  #chosen = null;
  /** Newest first. @type {Record<ChannelName, Page>} */
  pages = { seats: { messages: [], next: null }, spectators: { messages: [], next: null } };
  /** What is being written. */
  draft = "";
  /** @type {{id: string, name: string}[]} */
  mutes = [];
  /** @type {string | null} */
  #etag = null;
  /** When messages were loaded last, ms since 1970. */
  #loaded = 0;

  /** @param {string} path of the game @param {() => boolean} seen whether the talk is on the screen @param {() => void} redraw */
  constructor(path, seen, redraw) {
    this.path = path;
    this.seen = seen;
    this.redraw = redraw;
    this.notes = new Notes(path, redraw);
    this.following = follow(() => this.#look(), error => this.#failed(error));
  }

  leave() {
    this.following.stop();
  }

  /** The channels that the reader may read. */
  get readable() {
    return CHANNELS.filter(name => this.state?.[name].reads);
  }

  /** The channel that is shown; null: there is none to read. */
  get channel() {
    return this.readable.find(name => name === this.#chosen) ?? this.readable[0] ?? null;
  }

  /** How many messages are new, in all that can be read but what is seen anyway. */
  get unread() {
    const seen = this.seen() ? this.channel : null;
    return this.readable.filter(name => name !== seen).reduce((sum, name) => sum + (this.state?.[name].unread ?? 0), 0);
  }

  /** @param {ChannelName} name */
  choose(name) {
    this.#chosen = name;
    this.look();
  }

  /** Looks at once: something was said, hidden, or is seen now. */
  look() {
    this.#etag = null;
    this.#loaded = 0;
    this.following.now();
    this.redraw();
  }

  /** @param {import("./api.js").Game} game */
  draw(game) {
    return drawTalk(this, game);
  }

  /** Nobody in particular has no part in the talk. */
  async #look() {
    if (!player()) return WITHOUT;
    const { data, etag } = await ask("GET", `${this.path}/talk`, { etag: this.#etag });
    if (data) {
      this.state = data;
      this.#etag = etag;
      this.redraw();
    }
    if (this.seen() && this.channel) await this.#read(this.channel);
    return Math.max(LEAST, this.state?.poll_after ?? 0);
  }

  /** Loads what is new in a channel and notes that it was seen. @param {ChannelName} name */
  async #read(name) {
    const { last = 0, read = 0 } = this.state?.[name] ?? {};
    const known = this.pages[name].messages;
    if (Date.now() - this.#loaded > AGAIN || (known[0]?.number ?? 0) < last) await this.refresh(name);
    if (read >= last || !this.seen() || name !== this.channel) return;
    this.state = (await ask("PUT", `${this.path}/marks`, { body: { channel: name, number: last } })).data;
    this.redraw();
  }

  /** Loads the newest page anew: texts may have been hidden. @param {ChannelName} name */
  async refresh(name) {
    this.#loaded = Date.now();
    const { messages, next } = await get(`${this.path}/messages?channel=${name}`);
    const last = messages.at(-1)?.number ?? 0;
    const before = this.pages[name].messages.filter(({ number }) => number < last);
    this.pages[name] = { messages: [...messages, ...before], next: before.length ? this.pages[name].next : next };
    this.redraw();
  }

  /** Loads what was said before. @param {ChannelName} name */
  async earlier(name) {
    const page = this.pages[name];
    const { messages, next } = await get(`${this.path}/messages?channel=${name}&cursor=${page.next}`);
    this.pages[name] = { messages: [...page.messages, ...messages], next };
  }

  /** @param {unknown} error */
  #failed(error) {
    if (error instanceof Problem && [0, 401, 404].includes(error.status)) return; // the game itself tells
    tell(worded(error));
  }
}
