// What makes participants' pages comfortable: drafts that outlive a reload, the lobby that goes on
// by itself. All pages work without it.

import { all, byId } from "../shared/elements.js";

const DRAFTS = "troupe-draft:";

/** Keep what is filled in until it is sent. */
function keepDraft(/** @type {HTMLFormElement} */ form) {
  const key = DRAFTS + form.dataset.draft;
  const fresh = !form.querySelector("[aria-invalid], .faulty");
  if (fresh) fillIn(form, JSON.parse(localStorage.getItem(key) ?? "[]"));
  form.addEventListener("input", () => {
    const filled = [...new FormData(form)].filter(([, value]) => typeof value === "string");
    localStorage.setItem(key, JSON.stringify(filled));
  });
  form.addEventListener("submit", () => {
    const button = form.querySelector("button.primary");
    if (button instanceof HTMLButtonElement) setTimeout(() => (button.disabled = true));
  });
}

/** @param {HTMLFormElement} form @param {[string, string][]} filled */
function fillIn(form, filled) {
  for (const element of form.elements) {
    if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) continue;
    const values = filled.filter(([name]) => name === element.name).map(([, value]) => value);
    if (!values.length) continue;
    if (element instanceof HTMLInputElement && ["radio", "checkbox"].includes(element.type)) {
      element.checked = values.includes(element.value);
    } else {
      element.value = values[0];
    }
  }
}

/** Say that this page is open, and go on when it is time. */
async function wait(/** @type {HTMLElement} */ lobby) {
  const away = byId("lobby-away");
  const left = byId("lobby-left");
  const sound = byId("lobby-sound");
  let until = Date.now() + Number(lobby.dataset.left) * 1000;
  let ring = () => {};
  sound.hidden = !("AudioContext" in window);
  sound.addEventListener("click", () => {
    const audio = new AudioContext();
    ring = () => chime(audio);
    sound.setAttribute("aria-pressed", "true");
    sound.textContent = "It will ring";
    chime(audio);
  });
  const show = () => {
    const seconds = Math.max(0, Math.round((until - Date.now()) / 1000));
    const minutes = Math.floor(seconds / 60);
    const told = minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
    left.textContent = seconds ? `At most ${told} more.` : "Any moment now.";
  };
  setInterval(show, 1000);
  show();
  for (;;) {
    try {
      const answer = await fetch(lobby.dataset.lobby ?? "", { method: "POST" });
      if (answer.status === 401 || answer.status === 404) return location.reload();
      if (!answer.ok) throw new Error(String(answer.status));
      const told = await answer.json();
      away.hidden = true;
      until = Date.now() + told.left_s * 1000;
      if (!told.waits) {
        ring();
        document.title = `● ${document.title}`;
        return location.reload();
      }
    } catch {
      away.hidden = false;
    }
    await new Promise((done) => setTimeout(done, 1500));
  }
}

/** Two short notes. */
function chime(/** @type {AudioContext} */ audio) {
  for (const [at, pitch] of [[0, 660], [0.18, 880]]) {
    const note = audio.createOscillator();
    const volume = audio.createGain();
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(0.15, audio.currentTime + at);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + at + 0.35);
    note.connect(volume).connect(audio.destination);
    note.start(audio.currentTime + at);
    note.stop(audio.currentTime + at + 0.4);
  }
}

for (const form of all(document, "form[data-draft]", HTMLFormElement)) keepDraft(form);
for (const lobby of all(document, "[data-lobby]")) void wait(lobby);
document.getElementById("faults")?.focus();
if (document.getElementById("code")) {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(DRAFTS)) localStorage.removeItem(key);
  }
}
