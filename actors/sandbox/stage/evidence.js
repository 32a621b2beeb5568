/** What scores rest on: who did what, when and where, and by which word it counts. */

import { h } from "../../shared/elements.js";
import { shortAddress } from "./map.js";
import { none } from "./person.js";

/** @import { Evidence } from "../../../gateway/static/stage/picture.js" */
/** @import { Doing } from "./timeline.js" */
/** @import { Town } from "./town.js" */

const MOST = 60;

export class EvidencePanel {
  /** @param {Town} town */
  constructor(town) {
    this.town = town;
    this.element = h("div", { class: "town-evidence" });
    /** @type {Evidence[]} */
    this.scores = town.page.scores?.() ?? [];
    this.shown = -1;
    /** By which what somebody does counts, where a score does not say. @type {string[]} */
    this.keywords = (town.goals ?? []).flatMap((one) => [one.keyword, ...(one.other_keywords ?? [])]);
  }

  get empty() {
    return this.scores.length === 0;
  }

  /** When there is something that a score rests on. */
  times() {
    const numbers = new Set(this.scores.flatMap((one) => one.evidence));
    return [...new Set([...numbers].map((number) => this.town.timeline.times.get(number)))]
      .filter((time) => time !== undefined)
      .slice(0, MOST * 4);
  }

  show() {
    const { taken } = this.town.timeline;
    if (taken === this.shown) return;
    this.shown = taken;
    this.element.replaceChildren(...this.scores.map((score) => this.score(score)));
  }

  /** @param {Evidence} score */
  score(score) {
    const rows = this.rows(score);
    return h(
      "section",
      {},
      h("h3", { class: "town-score" }, score.dimension, " ", h("b", {}, score.value)),
      score.reason ? h("details", {}, h("summary", { class: "small" }, "Why"), h("p", { class: "muted small" }, score.reason)) : null,
      rows.length
        ? h("ol", { class: "town-list" }, ...rows.slice(0, MOST).map((row) => this.row(row, this.words(score))))
        : none("It rests on nothing that anybody did."),
      rows.length > MOST ? none(`And ${rows.length - MOST} more.`) : null,
    );
  }

  /** @param {{quotes: string[]}} score */
  words({ quotes }) {
    return quotes.length ? quotes : this.keywords;
  }

  /** @param {{evidence: number[], quotes: string[]}} score */
  rows(score) {
    const { timeline } = this.town;
    const quotes = this.words(score);
    return score.evidence.flatMap((number) => {
      const done = timeline.byNumber.get(number) ?? [];
      const counted = done.filter((one) => quotes.some((quote) => holds(one.text, quote)));
      return counted.length ? counted : done;
    });
  }

  /**
   * @param {Doing & {seat: number}} done
   * @param {string[]} quotes
   */
  row(done, quotes) {
    const { town } = this;
    return h(
      "li",
      { class: `seat-${(done.seat % 8) + 1}` },
      h(
        "button",
        { type: "button", class: "town-row town-proof", onclick: () => this.go(done) },
        h("span", {}, h("b", {}, town.name(done.seat)), " ", h("span", { class: "muted" }, town.hours.full(done.at))),
        h("span", {}, ...marked(done.text, quotes)),
        h("span", { class: "muted" }, shortAddress(done.address)),
      ),
    );
  }

  /** @param {Doing & {seat: number}} done */
  go(done) {
    this.town.marked = [done.seat];
    this.town.seek(done.at);
  }

  /**
   * A score was chosen on the page: look at the first of what it rests on.
   * @param {{evidence: number[], quotes: string[]}} score
   */
  chosen(score) {
    const rows = this.rows(score);
    this.town.marked = [...new Set(rows.map((one) => one.seat))];
    if (!rows.length) {
      this.town.show();
      return;
    }
    if (!this.empty) this.town.side("Scores");
    this.town.seek(rows[0].at);
  }
}

/**
 * @param {string} text
 * @param {string} word
 */
function holds(text, word) {
  return word !== "" && text.toLowerCase().includes(word.toLowerCase());
}

/**
 * A text with the words by which it counts between marks.
 * @param {string} text
 * @param {string[]} quotes
 */
function marked(text, quotes) {
  const word = quotes.find((quote) => holds(text, quote));
  if (!word) return [text];
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  return [text.slice(0, at), h("mark", {}, text.slice(at, at + word.length)), text.slice(at + word.length)];
}
