// Exercises on the page: numbers are checked, answers and what is done are kept in this browser.
// Without this script the page still gives every reply; it only forgets.

import { judge } from "./answer.mjs";
import { chosen } from "./choice.mjs";

const words = JSON.parse(document.getElementById("ffn-questions").textContent);
const ANSWER = "ffn-answer:", DONE = "ffn-done:", PREDICTION = "ffn-predict:";
const OURS = [ANSWER, DONE, PREDICTION];
const FORMAT = "ffnbook-answers/1", MAX_FILE = 1e6, MAX_TEXT = 200;
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

let refused = false;
const store = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) {
    try { value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch { refused = true; }
  },
  all() {
    try { return Object.fromEntries(Object.entries(localStorage).filter(([key]) => OURS.some((start) => key.startsWith(start)))); }
    catch { return {}; }
  },
};
const key = (box, name) => `${ANSWER}${box.dataset.exercise}/${name}`;

// Questions

function answerNumber(box, form, text, asked) {
  const { kind, reply } = judge(JSON.parse(form.dataset.answer), text);
  const verdict = kind === "right" ? words.right : kind === "unreadable" ? words.number : kind === "fraction" ? words.whole : words.wrong;
  const out = form.querySelector(".reply");
  form.dataset.kind = kind;
  out.replaceChildren(Object.assign(document.createElement("strong"), { textContent: verdict }), reply ? ` ${reply}` : "");
  form.querySelector("input").setAttribute("aria-invalid", String(kind === "unreadable"));
  if (asked && kind !== "unreadable") store.set(key(box, form.dataset.name), text.trim().slice(0, MAX_TEXT));
}

function listen(box) {
  for (const form of all("form.question", box))
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answerNumber(box, form, form.querySelector("input").value, true);
      progress();
    });
  for (const choice of all("details.choice", box))
    chosen(choice, () => {
      store.set(key(box, choice.closest(".question").dataset.name), choice.dataset.letter);
      progress();
    });
  box.querySelector(".exercise-done button")?.addEventListener("click", () => {
    store.set(DONE + box.dataset.exercise, isDone(box) ? null : "1");
    progress();
  });
}

/** Show what was answered before. */
function restore(box) {
  for (const form of all("form.question", box)) {
    const kept = store.get(key(box, form.dataset.name));
    form.querySelector("input").value = kept ?? "";
    if (kept) answerNumber(box, form, kept, false);
    else { form.querySelector(".reply").replaceChildren(); delete form.dataset.kind; }
  }
  for (const choice of all("details.choice", box))
    choice.open = store.get(key(box, choice.closest(".question").dataset.name)) === choice.dataset.letter;
}

function isDone(box) {
  const asked = all(".question", box);
  if (!asked.length) return store.get(DONE + box.dataset.exercise) === "1";
  return asked.every((question) => question.matches("form") ? question.dataset.kind === "right" : question.querySelector(".right[open]"));
}

function progress() {
  const boxes = all(".exercise");
  for (const box of boxes) {
    const done = isDone(box), mark = box.querySelector(".exercise-done > *");
    mark.hidden = !done && mark.tagName !== "BUTTON";
    if (mark.tagName === "BUTTON") mark.setAttribute("aria-pressed", String(done));
    else store.set(DONE + box.dataset.exercise, done ? "1" : null);
  }
  const count = { done: boxes.filter(isDone).length, total: boxes.length };
  for (const line of all(".exercise-progress [role=status]")) line.textContent = refused ? words.refused : fill(words.progress, count);
  all(".answers-kept").forEach(summary);
}

// What is kept

function counts() {
  const keys = Object.keys(store.all());
  const having = (start) => keys.filter((name) => name.startsWith(start)).length;
  return { answers: having(ANSWER) + having(PREDICTION), done: having(DONE) };
}

function summary(panel) {
  const found = counts();
  say(panel, refused ? words.refused : found.answers + found.done ? fill(words.kept, found) : words.nothing);
}

function say(panel, text, button) {
  panel.querySelector(".reply").replaceChildren(text, ...(button ? [" ", button] : []));
}

function save(panel) {
  const data = { format: FORMAT, kept: store.all() };
  const link = Object.assign(document.createElement("a"), {
    href: URL.createObjectURL(new Blob([JSON.stringify(data, null, 1)], { type: "application/json" })),
    download: words.file,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  say(panel, words.saved);
}

/** The entries of a saved file, or null where it is no such file; whatever else it holds is left out. */
async function entries(file) {
  try {
    const data = file.size > MAX_FILE ? null : JSON.parse(await file.text());
    if (data?.format !== FORMAT || typeof data.kept !== "object") return null;
    return Object.entries(data.kept).filter(([name, value]) =>
      OURS.some((start) => name.startsWith(start)) && /^[\w:/-]{1,120}$/.test(name) && typeof value === "string" && value.length <= MAX_TEXT);
  } catch { return null; }
}

async function load(panel, input) {
  const found = input.files[0] && await entries(input.files[0]);
  input.value = "";
  if (!found) { say(panel, words.unreadable); return; }
  found.forEach(([name, value]) => store.set(name, value));
  show();
  say(panel, fill(words.loaded, counts()));
}

function clear(panel) {
  const before = Object.entries(store.all());
  before.forEach(([name]) => store.set(name, null));
  show();
  const undo = Object.assign(document.createElement("button"), { type: "button", textContent: words.undo });
  undo.addEventListener("click", () => {
    before.forEach(([name, value]) => store.set(name, value));
    show();
    say(panel, words.undone);
    panel.querySelector("[data-do=clear]").focus();
  });
  say(panel, words.cleared, before.length ? undo : null);
}

function keeping(panel) {
  const input = panel.querySelector("input[type=file]");
  const actions = { save: () => save(panel), load: () => input.click(), clear: () => clear(panel) };
  for (const button of all("[data-do]", panel)) button.addEventListener("click", actions[button.dataset.do]);
  input.addEventListener("change", () => { if (input.files.length) load(panel, input); });
}

function show() {
  all(".exercise").forEach(restore);
  progress();
}

all(".exercise").forEach(listen);
all(".answers-kept").forEach(keeping);
show();
addEventListener("storage", (event) => { if (OURS.some((start) => event.key?.startsWith(start)) || event.key === null) show(); });
