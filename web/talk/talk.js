// @ts-check
/**
 * Talk at a table: a channel for players and one for spectators, and how many messages are unread.
 *
 * @typedef {{reads: boolean, writes: boolean, last: number, read: number, unread: number}} Channel
 * @typedef {{rule: string | null, seats: Channel, spectators: Channel, poll_after: number}} TalkState
 * @typedef {"seats" | "spectators"} ChannelName
 * @typedef {{id: string, number: number, seat: number | null, tenure: string | null, name: string, program: boolean, you: boolean, at: string, text: string | null, hidden: boolean}} Message
 * @typedef {{messages: Message[], next: string | null}} Page
 */

import { Problem, get, request } from "../base/api.js";
import { problemText, showToast } from "../base/controls/toasts.js";
import { Polling } from "../base/polling.js";
import { player } from "../people/sign_in/session.js";
import { Notes } from "./private_notes.js";
import { drawTalk } from "./talk_view.js";

/** @type {ChannelName[]} */
const CHANNELS = ["seats", "spectators"];
/** The shortest pause between polls, in seconds. */
const SHORTEST_PAUSE = 1;
/** Of the time for which nobody has written, this part is a pause; and the longest one, on screen or not, in seconds. */
const PART_OF_QUIET = 60;
const LONGEST_ON_SCREEN = 60;
const LONGEST_UNSEEN = 180;
/** Seconds between checks whether somebody has signed in meanwhile. */
const SIGNED_OUT_PAUSE = 3;
/** Milliseconds after which messages are reloaded: the host may have hidden one. */
const RELOAD_AFTER = 10_000;

export class Talk {
  /** @type {TalkState | null} */
  state = null;
  /** @type {ChannelName | null} */
  #chosen = null;
  /** Newest first. @type {Record<ChannelName, Page>} */
  pages = { seats: { messages: [], next: null }, spectators: { messages: [], next: null } };
  /** The message being written. */
  draft = "";
  /** @type {{id: string, name: string}[]} */
  mutes = [];
  /** @type {string | null} */
  #etag = null;
  /** When messages were last loaded, in milliseconds since 1970. */
  #loaded = 0;

  /** @param {string} path of the game @param {() => boolean} seen whether the talk is on screen @param {() => number} pause  seconds after which to ask for the game again @param {() => void} redraw */
  constructor(path, seen, pause, redraw) {
    this.path = path;
    this.seen = seen;
    this.pause = pause;
    this.redraw = redraw;
    this.notes = new Notes(path, redraw);
    this.polling = new Polling(() => this.#poll(), error => this.#failed(error));
  }

  stop() {
    this.polling.stop();
  }

  /** The channels that the user may read. */
  get readable() {
    return CHANNELS.filter(name => this.state?.[name].reads);
  }

  /** The channel that is shown; null if the user may read none. */
  get channel() {
    return this.readable.find(name => name === this.#chosen) ?? this.readable[0] ?? null;
  }

  /** The number of unread messages, except in the channel on screen. */
  get unread() {
    const seen = this.seen() ? this.channel : null;
    return this.readable.filter(name => name !== seen).reduce((sum, name) => sum + (this.state?.[name].unread ?? 0), 0);
  }

  /** @param {ChannelName} name */
  chooseChannel(name) {
    this.#chosen = name;
    this.pollNow();
  }

  /** Polls at once: a message was sent or hidden, or the talk has come on screen. */
  pollNow() {
    this.#etag = null;
    this.#loaded = 0;
    this.polling.now();
    this.redraw();
  }

  /** @param {import("../base/api.js").Game} game */
  draw(game) {
    return drawTalk(this, game);
  }

  /** Only people who are signed in take part. */
  async #poll() {
    if (!player()) return SIGNED_OUT_PAUSE;
    const { data, etag } = await request("GET", `${this.path}/talk`, { etag: this.#etag });
    if (data) {
      this.state = data;
      this.#etag = etag;
      this.redraw();
    }
    if (this.seen() && this.channel) await this.#markRead(this.channel);
    return Math.max(SHORTEST_PAUSE, this.state?.poll_after ?? 0, this.#quietPause());
  }

  /** The pause because nobody has written for long, or because nothing happens at the table and the talk is out of sight. */
  #quietPause() {
    if (!this.seen() || !this.channel) return Math.min(this.pause(), LONGEST_UNSEEN);
    const written = Date.parse(this.pages[this.channel].messages[0]?.at ?? "");
    return Number.isNaN(written) ? 0 : Math.min((Date.now() - written) / 1000 / PART_OF_QUIET, LONGEST_ON_SCREEN);
  }

  /** Loads new messages of a channel and marks them as read. @param {ChannelName} name */
  async #markRead(name) {
    const { last = 0, read = 0 } = this.state?.[name] ?? {};
    const known = this.pages[name].messages;
    if (Date.now() - this.#loaded > RELOAD_AFTER || (known[0]?.number ?? 0) < last) await this.refresh(name);
    if (read >= last || !this.seen() || name !== this.channel) return;
    this.state = (await request("PUT", `${this.path}/marks`, { body: { channel: name, number: last } })).data;
    this.redraw();
  }

  /** Reloads the newest page: messages may have been hidden. @param {ChannelName} name */
  async refresh(name) {
    this.#loaded = Date.now();
    const { messages, next } = await get(`${this.path}/messages?channel=${name}`);
    const last = messages.at(-1)?.number ?? 0;
    const before = this.pages[name].messages.filter(({ number }) => number < last);
    this.pages[name] = { messages: [...messages, ...before], next: before.length ? this.pages[name].next : next };
    this.redraw();
  }

  /** Loads a page of older messages. @param {ChannelName} name */
  async loadEarlier(name) {
    const { next: cursor } = this.pages[name];
    const { messages, next } = await get(`${this.path}/messages?channel=${name}&cursor=${cursor}`);
    const now = this.pages[name];
    if (cursor === now.next) this.pages[name] = { messages: [...now.messages, ...messages], next }; // else this page has come already
  }

  /** @param {unknown} error */
  #failed(error) {
    if (error instanceof Problem && [0, 401, 404].includes(error.status)) return; // shown by the polling of the game
    showToast(problemText(error));
  }
}
