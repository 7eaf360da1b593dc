// What every page does beyond being read: theme, copying code, the language switch that
// keeps your place, and your answers. Nothing here is needed to read.

import { chosen } from "./choice.mjs";

const strings = JSON.parse(document.getElementById("ffn-strings").textContent);
const root = document.documentElement;

/** Storage may be refused (private windows, file://); the page works without it. */
export const store = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch { /* not kept */ } },
};

function themeButton() {
  const button = document.querySelector(".theme-button");
  const modes = ["auto", "light", "dark"];
  const label = () => { button.setAttribute("aria-label", strings[`theme_${root.dataset.theme ?? "auto"}`]); button.title = button.getAttribute("aria-label"); };
  button.addEventListener("click", () => {
    const next = modes[(modes.indexOf(root.dataset.theme ?? "auto") + 1) % 3];
    if (next === "auto") delete root.dataset.theme; else root.dataset.theme = next;
    store.set("ffn-theme", next === "auto" ? null : next);
    label();
    button.querySelector("[role=status]").textContent = button.title;
  });
  label();
}

/** A link to where the reader already is closes the menu all the same. */
function menu() {
  const list = document.getElementById("menu");
  list.addEventListener("click", (event) => { if (event.target.closest("a") && list.matches(":popover-open")) list.hidePopover(); });
}

/** The frame's top leaves while the reader reads on, and is back as soon as they turn. */
function head() {
  let last = scrollY;
  addEventListener("scroll", () => {
    if (Math.abs(scrollY - last) < 6) return;
    root.classList.toggle("reading", scrollY > last && scrollY > 90);
    last = scrollY;
  }, { passive: true });
}

/** The section being read: the last one whose heading has passed the upper third of the window. */
function currentSection() {
  const passed = [...document.querySelectorAll("article section[id]")].filter((s) => s.getBoundingClientRect().top < innerHeight / 3);
  return passed.at(-1);
}

function languageSwitch() {
  const link = document.querySelector(".language");
  if (!link) return; // an offline edition holds one language
  const href = link.getAttribute("href");
  link.addEventListener("click", () => {
    store.set("ffn-language", link.hreflang);
    const section = scrollY > 40 ? currentSection()?.id : "";
    link.href = href + location.search + (section ? `#${section}` : "");
  });
}

function copyButtons() {
  for (const block of document.querySelectorAll(".cell_input .highlight")) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: strings.copy });
    button.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(block.querySelector("pre").textContent); button.textContent = strings.copied; }
      catch { button.textContent = strings.copy_failed; }
      setTimeout(() => { button.textContent = strings.copy; }, 2000);
    });
    block.append(button);
  }
}

/** Whatever scrolls sideways can be reached and scrolled from the keyboard. */
function scrollers() {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) { target.tabIndex = 0; if (target.matches(".table, .table-scroll, div.math")) { target.role = "group"; target.ariaLabel = strings.scrollable; } }
      else { target.removeAttribute("tabindex"); if (target.role === "group") { target.role = null; target.ariaLabel = null; } }
    }
  });
  document.querySelectorAll("pre, .table, .table-scroll, div.math").forEach((el) => watch.observe(el));
}

function contentsMarker() {
  const links = new Map([...document.querySelectorAll(".contents a[href^='#']")].map((a) => [a.hash.slice(1), a]));
  if (!links.size) return;
  let marked;
  const mark = () => {
    const link = links.get(currentSection()?.id);
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    marked = link;
  };
  new IntersectionObserver(mark, { rootMargin: "0px 0px -66% 0px", threshold: [0, 1] }).observe(document.querySelector("article"));
  let waiting = false;
  addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; mark(); }); } }, { passive: true });
}

/** Predictions stay as the reader left them. */
function predictions() {
  for (const box of document.querySelectorAll(".predict[id]")) {
    const key = `ffn-predict:${box.id}`, choices = [...box.querySelectorAll("details.choice")];
    const kept = choices[Number(store.get(key) ?? -1)];
    if (kept) kept.open = true;
    choices.forEach((choice, i) => chosen(choice, () => store.set(key, String(i))));
  }
}

themeButton();
menu();
head();
languageSwitch();
copyButtons();
scrollers();
contentsMarker();
predictions();
