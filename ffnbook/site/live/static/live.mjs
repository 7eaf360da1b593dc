// "Run this page": what the reader's click loads first. Texts, sizes and the page's cells; nothing else
// until they have chosen a way to run them.

import { Cells } from "./cells.mjs";
import { choices } from "./costs.mjs";
import { Panel } from "./panel.mjs";
import { Runner } from "./runner.mjs";

const lang = document.documentElement.lang;
const read = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${address}`);
  return answer.json();
};

/** Open the panel below `button`, whose data- attributes say which page this is and how it may be run. */
export async function open(button) {
  const home = new URL(`${button.dataset.root}live/`, location.href);
  const page = new URL(`${button.dataset.root}${lang}/_live/${button.dataset.page}.json`, location.href);
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("live.css", home).href });
  document.head.append(sheet);
  const [words, files, sources] = await Promise.all([read(new URL(`${lang}.json`, home)), read(new URL("files.json", home)), read(page)]);
  const site = { home, lang, words, files, page: sources, name: button.dataset.page };
  const cells = new Cells(site);
  const panel = new Panel(site, choices(site, button.dataset.ways.split(" ")));
  const runner = new Runner(site, cells, panel);
  button.parentElement.append(panel.element);
  document.querySelector("article").append(panel.bar);
  button.setAttribute("aria-expanded", "true");
  button.onclick = () => panel.show(button);
  panel.show(button);
  globalThis.ffnLive = runner; // for tests and for the curious
}
