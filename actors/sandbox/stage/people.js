/** Everybody at a moment, as a list and as a table; and all talks. */

import { h } from "../../shared/elements.js";
import { initials } from "../../shared/words.js";
import { shortAddress } from "./map.js";
import { lines, momentRow, none, partner } from "./person.js";

/** @import { Town } from "./town.js" */

/** Who there is and what each does, beside the map. */
export class Roster {
  /** @param {Town} town */
  constructor(town) {
    this.town = town;
    this.rows = town.portraits.map((one, seat) => {
      const does = h("span", { class: "muted" });
      const row = h(
        "li",
        { class: `seat-${(seat % 8) + 1}` },
        h(
          "button",
          { type: "button", class: "town-row", onclick: () => town.choose(seat) },
          h("span", { class: "town-disc", "aria-hidden": "true" }, initials(one.name)),
          h("span", { class: "town-who" }, h("b", {}, one.name), does),
        ),
      );
      return { row, does };
    });
    this.element = h("ul", { class: "town-list town-roster" }, ...this.rows.map((one) => one.row));
  }

  /** @param {number} time */
  show(time) {
    this.rows.forEach(({ row, does }, seat) => {
      const text = doingOf(this.town, seat, time)?.text ?? "";
      if (does.textContent !== text) does.textContent = text;
      row.classList.toggle("town-talks", this.town.timeline.talk(seat, time) !== null);
    });
  }
}

/** The same as the map, to be read. */
export class Table {
  /** @param {Town} town */
  constructor(town) {
    this.town = town;
    const head = ["Who", "Does", "Where", "Since", "Until", "Talks with", "Tile"];
    this.body = h("tbody", {});
    this.caption = h("caption", {});
    this.cells = town.portraits.map((one, seat) => {
      const cells = head.slice(1).map(() => h("td", {}));
      const who = h("button", { type: "button", class: "small quiet", onclick: () => town.choose(seat) }, one.name);
      this.body.append(h("tr", {}, h("th", { scope: "row" }, who), ...cells));
      return cells;
    });
    this.element = h(
      "div",
      { class: "table-box town-table", tabindex: 0, role: "region", "aria-label": "Everybody at this moment", hidden: true },
      h("table", {}, this.caption, h("thead", {}, h("tr", {}, ...head.map((one) => h("th", { scope: "col" }, one)))), this.body),
    );
  }

  /** @param {number} time */
  show(time) {
    const { town } = this;
    this.caption.textContent = town.hours.full(time);
    this.cells.forEach((cells, seat) => {
      const doing = doingOf(town, seat, time);
      const talk = town.timeline.talk(seat, time);
      const place = town.timeline.place(seat, time);
      const texts = [
        doing?.text ?? "",
        doing ? shortAddress(doing.address) : "",
        doing?.at === undefined ? "" : town.hours.clock(doing.at),
        doing?.until === undefined ? "" : town.hours.clock(doing.until),
        talk ? town.name(partner(talk, seat)) : "",
        place ? `${Math.round(place.x)}, ${Math.round(place.y)}${place.walking ? ", on the way" : ""}` : "",
      ];
      texts.forEach((text, at) => {
        if (cells[at].textContent !== text) cells[at].textContent = text;
      });
    });
  }
}

/** All talks, those of the time that is looked at first. */
export class TalkList {
  /** @param {Town} town */
  constructor(town) {
    this.town = town;
    this.list = h("ol", { class: "town-list" });
    this.element = h("div", {}, this.list);
    this.shown = "";
  }

  /** @param {number} time */
  show(time) {
    const { town } = this;
    const { talks } = town.timeline;
    const now = talks.findLastIndex((one) => one.at <= time);
    const key = `${talks.length}/${now}/${talks[now]?.lines.length}`;
    if (key === this.shown) return;
    this.shown = key;
    if (!talks.length) {
      this.list.replaceChildren(h("li", {}, none("Nobody has talked yet.")));
      return;
    }
    // Those around the moment; the slider leads to the others.
    const from = Math.max(0, Math.min(now - 12, talks.length - 30));
    const rows = talks.slice(from, from + 30).map((talk, at) =>
      h(
        "li",
        { "aria-current": from + at === now ? "time" : null },
        momentRow(town, talk.at, `${town.name(talk.seats[0])} and ${town.name(talk.seats[1])}`),
        talk.about ? h("p", { class: "muted small" }, talk.about) : null,
        from + at === now ? lines(town, talk) : null,
      ),
    );
    this.list.replaceChildren(...rows);
  }
}

/**
 * What somebody does, or was seen to do.
 * @param {Town} town
 * @param {number} seat
 * @param {number} time
 * @returns {{text: string, address: string, at?: number, until?: number}|null}
 */
function doingOf(town, seat, time) {
  if (town.own < 0 || seat === town.own) return town.timeline.doing(seat, time);
  const glimpse = town.timeline.glimpses[town.own]?.findLast((one) => one.at <= time && one.seen.some((other) => other.seat === seat));
  const found = glimpse?.seen.find((other) => other.seat === seat);
  return found ? { text: found.text, address: found.address, at: glimpse?.at } : null;
}
