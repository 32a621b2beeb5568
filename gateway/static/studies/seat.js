// A seat as a person holds it: who they are, what happens, what they are asked.
//
// All of it comes over the socket as this seat may know it (../client/troupe.js). Nothing here asks
// or shows what kind of mind anybody else is.

import { Stage } from "../client/troupe.js";
import { byId, h } from "../shared/elements.js";
import { doing, messageOf, minutesOf, missedWords, sentence } from "../shared/words.js";
import { questionForm, Picture, pieceAt } from "../stage/piece.js";
import { brief, entry, inShort, name, waiting } from "./told.js";

/** @import { Answer, Scene, ServerFrame } from "../client/frames.js" */
/** @import { Form } from "../stage/form.js" */

/** @type {{episode: string, seat: number, study: string, viewer: string, now: number, code: string}} */
const given = JSON.parse(byId("seat").textContent ?? "{}");
const behind = given.now / 1000 - Date.now();
const draftKey = `troupe-draft:${given.episode}-${given.seat + 1}`;
const sentKey = `troupe-sent:${given.episode}-${given.seat + 1}`;
const TYPING_MS = 6000;

const stage = new Stage(given.episode, { viewer: given.viewer });
const title = document.title;
const picture = new Picture(byId("picture"), {});
let pieceOf = "";
let pieceLoads = false;
let offered = false;
/** @type {Form|null} */
let form = null;
let formKey = "";
let shownEntries = 0;
let openedTurn = -1;
/** @type {Map<number, number>} */
const typing = new Map();
let left = false;
/** What was answered and has not been taken yet. @type {{turn: number, before: number, words: string}|null} */
let sent = JSON.parse(sessionStorage.getItem(sentKey) ?? "null");
/** Whose the seat is was told. */
let known = false;
/** @type {Scene|null} */
let scene = null;

// ------------------------------------------------------------------ what is told

stage.addEventListener("change", () => show());
stage.addEventListener("connection", () => show());
stage.addEventListener("frame", (event) => {
  const frame = /** @type {CustomEvent<ServerFrame>} */ (event).detail;
  if (frame.type === "SeatState") known = true;
  if (frame.type === "TypingNow") typing.set(frame.seat, Date.now() + TYPING_MS);
  if (frame.type === "Happened") {
    for (const one of frame.entries ?? []) typing.delete(one.seat ?? -1);
  }
  showTyping();
});
setInterval(() => {
  showTyping();
  showClock();
}, 500);

function show() {
  const { state } = stage;
  if (state.scene && state.scene !== scene) {
    scene = state.scene;
    showBrief(scene);
    void fetchPiece();
  }
  showEntries();
  showSent();
  showPicture();
  showStanding();
  showMissed();
  showTurn();
  showForm();
  showOver();
  showClock();
}

async function fetchPiece() {
  const { environment, stage_piece: has } = stage.state;
  if (!has || pieceOf === environment) return;
  pieceOf = environment;
  const at = `/static/environments/${environment}`;
  document.head.append(h("link", { rel: "stylesheet", href: `${at}/stage.css` }));
  pieceLoads = true;
  picture.piece = await pieceAt(`${at}/stage.js`);
  if (picture.piece.wide) {
    byId("standing").after(byId("picture"));
    byId("picture").classList.add("wide-picture");
  }
  pieceLoads = false;
  formKey = "";
  show();
}

function told() {
  const { state } = stage;
  const notices = state.happened.flatMap((one) => one.notices ?? []);
  return {
    opening: state.scene?.opening,
    notices,
    all: notices,
    count: notices.length,
    scene: state.scene,
    viewer: given.seat,
    turn: state.turn,
    waiting: state.waiting,
    ended: state.ended,
  };
}

/** @param {Scene} scene */
function showBrief(scene) {
  byId("brief").hidden = false;
  byId("brief-name").textContent = `You are ${name(scene, given.seat)}`;
  byId("brief-words").replaceChildren(...brief(scene, given.seat));
  closeBriefOnPhones();
}

function showPicture() {
  byId("picture").hidden = !picture.show(told());
}

function showEntries() {
  const list = byId("entries");
  const { entries } = stage.state;
  if (entries.length < shownEntries) {
    list.replaceChildren();
    shownEntries = 0;
  }
  if (entries.length === shownEntries) return;
  const first = shownEntries === 0;
  // Who has done nothing yet begins at the top, with who they are.
  const near = nearEnd() || (first && entries.some((one) => one.seat === given.seat));
  // What was there when the page was opened is no news to be read out.
  if (first) list.setAttribute("aria-live", "off");
  for (const one of entries.slice(shownEntries)) {
    list.append(entry(one, stage.state.scene, given.seat));
  }
  shownEntries = entries.length;
  if (first) setTimeout(() => list.setAttribute("aria-live", "polite"), 500);
  if (near) toEnd();
  else offer("New: below");
}

function ownEntries() {
  return stage.state.entries.filter((one) => one.seat === given.seat).length;
}

function showSent() {
  const { state } = stage;
  const place = byId("sent");
  if (sent && known && (!mine() || state.turn > sent.turn || ownEntries() > sent.before)) {
    sent = null;
    sessionStorage.removeItem(sentKey);
  }
  if (place.hidden !== !sent) {
    const near = nearEnd();
    place.hidden = !sent;
    place.replaceChildren(...(sent ? [waiting(sent.words)] : []));
    if (near) toEnd();
  }
}

function showTyping() {
  const now = Date.now();
  for (const [seat, until] of typing) if (until < now) typing.delete(seat);
  const names = stage.state.ended ? [] : [...typing.keys()].map((seat) => name(stage.state.scene, seat));
  const words = doing(names, "writing …");
  const place = byId("typing");
  if (place.textContent !== words) {
    const near = nearEnd();
    place.textContent = words;
    if (near) toEnd();
  }
}

// ------------------------------------------------------------------ how it stands

function showStanding() {
  const place = byId("standing");
  const { state, connection } = stage;
  let words = "";
  if (connection === "closed" && !state.ended && !left) {
    words = `The connection has ended: ${stage.why || "it was closed"}.`;
  } else if (connection === "waiting" || (connection === "connecting" && shownEntries + (scene ? 1 : 0))) {
    words = "The connection was lost. Nothing is lost with it: this page tries again by itself.";
  } else if (state.waits && !state.ended) {
    const until = scene ? "It goes on by itself" : "Keep this page open: it begins by itself";
    words = `${sentence(state.waits)} ${until}.`;
  }
  place.hidden = !words;
  if (place.textContent !== words) place.textContent = words;
}

function showMissed() {
  const { missed, ended } = stage.state;
  const place = byId("missed");
  place.hidden = !missed || !mine() || Boolean(ended);
  const words = missedWords(missed);
  if (place.textContent !== words) place.textContent = words;
}

function showTurn() {
  const { state } = stage;
  const page = byId("page");
  const place = byId("turn");
  let words;
  let kind = "waiting";
  if (state.ended || left) [words, kind] = ["It is over", "over"];
  else if (!state.scene && state.waits) [words, kind] = ["Not yet", "connecting"];
  else if (!state.scene || !known) [words, kind] = ["Connecting …", "connecting"];
  else if (mine() && state.asked) {
    [words, kind] = [state.asked.nudge ? "Your turn: please answer" : "Your turn", "mine"];
  } else if (!state.mine && !state.may_take) [words, kind] = ["Your part has ended", "over"];
  else if (!state.mine) words = "Your seat waits for you";
  else {
    const others = state.waiting.filter((seat) => seat !== given.seat);
    const names = others.map((seat) => name(state.scene, seat));
    words = names.length === 1 ? `${names[0]}’s turn` : names.length ? "The others’ turn" : "One moment …";
  }
  page.dataset.state = kind;
  if (place.textContent !== words) place.textContent = words;
  document.title = kind === "mine" ? `● ${words}` : title;
  byId("leave").hidden = !mine();
}

function showClock() {
  const { asked, ended } = stage.state;
  const until = mine() && !ended ? asked?.until : null;
  const clock = byId("clock");
  clock.hidden = !until;
  if (!until) return;
  const seconds = Math.max(0, Math.ceil((until / 1000 - (Date.now() + behind)) / 1000));
  byId("time").textContent = minutesOf(seconds);
  clock.classList.toggle("late", seconds <= 15 || Boolean(asked?.nudge));
}

function mine() {
  return stage.state.mine && !left && !stage.state.ended;
}

// ------------------------------------------------------------------ what is answered

function showForm() {
  const { state } = stage;
  const place = byId("answer");
  byId("sit").hidden = state.mine || !state.may_take || left || Boolean(state.ended);
  if (!byId("sit").hidden && !offered && !nearEnd()) {
    offered = true;
    offer("Your seat: below");
  }
  // A draft fits the form that it was written in.
  if (pieceLoads) return;
  if (!mine() || !state.asked) {
    if (form) keepDraft();
    form?.remove();
    form = null;
    formKey = "";
    place.hidden = true;
    return;
  }
  const { asked } = state;
  const posed = asked.questions[0];
  const key = `${asked.turn}-${posed.id ?? 0}`;
  if (key === formKey) return;
  if (form) keepDraft();
  formKey = key;
  place.hidden = false;
  const kept = JSON.parse(localStorage.getItem(draftKey) ?? "null");
  form = questionForm(picture.piece, place, posed, (answer) => send(asked.turn, posed.id ?? 0, answer), {
    ...told(),
    draft: kept ?? undefined,
    typing: () => {
      stage.typing();
      keepDraft();
    },
  });
  const many = asked.questions.length;
  if (many > 1) place.prepend(h("p", { class: "small muted" }, `${many} questions are left in this turn.`));
  if (openedTurn !== -1 || shownEntries > 0) closeBriefOnPhones();
  openedTurn = asked.turn;
  // Who has just come reads who they are first.
  if (shownEntries) toEnd();
  else if (!nearEnd()) offer("Your answer: below");
  const elsewhere = document.activeElement && document.activeElement !== document.body;
  if (!elsewhere && matchMedia("(hover: hover)").matches) form.focus();
}

/** @param {number} turn @param {number} question @param {Answer} answer */
async function send(turn, question, answer) {
  localStorage.setItem(draftKey, JSON.stringify(form?.draft() ?? null));
  const before = ownEntries();
  await stage.act({ turn, question, ...answer });
  localStorage.removeItem(draftKey);
  form = null;
  sent = { turn, before, words: inShort(answer) };
  sessionStorage.setItem(sentKey, JSON.stringify(sent));
  showSent();
}

function keepDraft() {
  if (form) localStorage.setItem(draftKey, JSON.stringify(form.draft()));
}

/** Once they have done something: who has not reads who they are first. */
function closeBriefOnPhones() {
  if (matchMedia("(max-width: 55rem)").matches && stage.state.entries.some((one) => one.seat === given.seat)) {
    byId("brief").removeAttribute("open");
  }
}

// ------------------------------------------------------------------ the end

function showOver() {
  const { state } = stage;
  const gone = known && !state.mine && !state.may_take && stage.connection === "open";
  const over = Boolean(state.ended) || left || gone;
  const place = byId("over");
  if (!over || !place.hidden) {
    if (!over) place.hidden = true;
    return;
  }
  place.hidden = false;
  localStorage.removeItem(draftKey);
  byId("over-title").textContent = state.ended ? "The conversation is over" : "Your part has ended";
  byId("over-words").textContent = state.ended
    ? `${sentence(state.ending || "it ended")} Thank you.`
    : "Your seat is somebody else’s from here on. Thank you for your time.";
  byId("over-code").hidden = !given.code;
  byId("code").textContent = given.code;
  const onward = byId("onward", HTMLAnchorElement);
  onward.hidden = !given.study;
  onward.href = `/join/${given.study}`;
  toEnd();
  place.focus({ preventScroll: true });
}

// ------------------------------------------------------------------ the page

function nearEnd() {
  const { scrollHeight } = document.documentElement;
  return scrollHeight - window.scrollY - window.innerHeight < 160;
}

function toEnd() {
  byId("newer").hidden = true;
  requestAnimationFrame(() => window.scrollTo({ top: document.documentElement.scrollHeight }));
}

/** @param {string} words  what is further down */
function offer(words) {
  byId("newer").textContent = words;
  byId("newer").hidden = false;
}

byId("newer").addEventListener("click", toEnd);
window.addEventListener("scroll", () => {
  if (nearEnd()) byId("newer").hidden = true;
});
const leaving = byId("leaving", HTMLDialogElement);
byId("leave").addEventListener("click", () => {
  leaving.returnValue = "";
  leaving.showModal();
});
leaving.addEventListener("close", async () => {
  if (leaving.returnValue !== "leave") return;
  byId("turn").textContent = "Leaving …";
  try {
    await stage.leaveSeat();
    // A study seats its own, once; any other link lets its holder come back.
    left = Boolean(given.study);
    byId("sit-title").textContent = "You have left your seat";
    byId("sit-words").textContent = "You can sit down in it again, as long as it is not over.";
    show();
  } catch (error) {
    byId("standing").hidden = false;
    byId("standing").textContent = `You could not leave: ${messageOf(error)}.`;
  }
});
byId("sit-down").addEventListener("click", async () => {
  byId("sit-fault").textContent = "";
  try {
    await stage.takeSeat();
  } catch (error) {
    byId("sit-fault").textContent = messageOf(error);
  }
});
stage.connect();
