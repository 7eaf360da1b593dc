// The cells of the page: the book's code becomes an editor, and its output gives way to the reader's.

import { Kept } from "./kept.mjs";
import { inPortions } from "./printed.mjs";
import { editor } from "./thebe.mjs";

const UNREAD = 90; // milliseconds after which an editor has read what was typed last

/** One cell. Those the page does not show (`place` is null) or shows without code (`input` is null) run all the same. */
class Cell {
  constructor(number, source, place) {
    const input = place?.querySelector(":scope .cell_input") ?? null;
    Object.assign(this, { number, original: source, text: source, place, input, done: false, edited: false });
  }
}

export class Cells extends EventTarget {
  /** Dispatches "run" with the cell's number in `detail`, and "edit". */
  constructor({ page, words, lang, name }) {
    super();
    this.words = words;
    this.kept = new Kept(`${lang}/${name}`);
    const place = (i) => document.querySelector(`article .cell-${i}`);
    this.all = page.cells.flatMap((source, i) => (source === null ? [] : [new Cell(i, source, place(i))]));
    this.shown = this.all.filter((cell) => cell.input);
    this.shown.forEach((cell, i) => { cell.order = i + 1; });
  }

  /** Turn code into editors and give each cell its place for output; once. */
  mount(api, config) {
    if (this.notebook) return;
    this.rendermime = api.makeRenderMimeRegistry({ mathjaxUrl: "", mathjaxConfig: "" });
    const blocks = this.all.map(({ number, original }) => ({ id: `live-${number}`, source: original }));
    this.notebook = api.setupNotebookFromBlocks(blocks, config, this.rendermime);
    for (const cell of this.all) this.mountCell(cell);
  }

  mountCell(cell) {
    cell.engine = this.notebook.getCellById(`live-${cell.number}`);
    cell.output = Object.assign(document.createElement("div"), { className: "live-output", hidden: true });
    if (!cell.place) return;
    cell.fixed = cell.place.querySelector(":scope > .cell_output, :scope > details > .cell_output");
    cell.place.append(cell.output);
    if (cell.input) this.mountEditor(cell);
    else cell.engine.attachToDOM(cell.output);
  }

  mountEditor(cell) {
    for (const fold of [cell.input.querySelector("details"), cell.input.closest("details.hide")]) if (fold) fold.open = true;
    const place = Object.assign(document.createElement("div"), { className: "live-input" });
    cell.input.after(place);
    cell.input.hidden = true;
    cell.text = this.kept.get(cell.number, cell.original);
    const label = this.words.editor.replace("{number}", cell.order), run = () => this.ask(cell);
    cell.editor = editor(place, {
      notebook: this.notebook, id: `live-${cell.number}`, source: cell.original, output: cell.output, label,
      keys: { "Shift-Enter": run, "Ctrl-Enter": run, "Cmd-Enter": run },
    });
    cell.buttons = this.makeButtons(cell, place);
    cell.editor.on("change", () => this.change(cell));
    if (cell.text !== cell.original) cell.editor.setValue(cell.text);
  }

  makeButtons(cell, place) {
    const make = (name, action) => {
      const button = Object.assign(document.createElement("button"), { type: "button", className: `live-cell-${name}`, textContent: this.words.cell[name] });
      button.setAttribute("aria-label", this.words.cell[`${name}_label`].replace("{number}", cell.order));
      button.addEventListener("click", action);
      return button;
    };
    const buttons = { run: make("run", () => this.ask(cell)), undo: make("undo", () => this.undo(cell)) };
    buttons.undo.hidden = true;
    const row = Object.assign(document.createElement("div"), { className: "live-cell" });
    row.append(buttons.run, buttons.undo);
    place.append(row);
    return buttons;
  }

  ask(cell) { setTimeout(() => this.dispatchEvent(new CustomEvent("run", { detail: cell.number })), UNREAD); }

  change(cell) {
    cell.text = cell.editor.getValue();
    cell.edited = cell.text !== cell.original;
    cell.buttons.undo.hidden = !cell.edited;
    this.kept.set(cell.number, cell.original, cell.text);
    this.dispatchEvent(new Event("edit"));
  }

  undo(cell) {
    cell.editor.setValue(cell.original);
    cell.editor.focus();
  }

  undoAll() { for (const cell of this.shown) if (cell.edited) cell.editor.setValue(cell.original); }

  get edited() { return this.shown.some((cell) => cell.edited); }

  /** Nothing has run yet in a new Python. */
  forget() { for (const cell of this.all) cell.done = false; }

  /** Nothing is running. */
  idle() { for (const cell of this.all) if (cell.output) this.end(cell); }

  /** Run one cell in `kernel`; returns null, or the error as {ename, evalue}. */
  async execute(cell, kernel) {
    this.begin(cell);
    try {
      const future = kernel.requestExecute({ code: cell.text, stop_on_error: false });
      cell.engine.area.future = future;
      inPortions(future, this.words.cell.rest);
      const { content } = await future.done;
      cell.done = true; // for better or worse: a cell that failed does not stand in the way of those below
      return content.status === "ok" ? null : content;
    } finally {
      this.end(cell);
    }
  }

  begin(cell) {
    cell.place?.setAttribute("aria-busy", "true");
    const { output, fixed } = cell;
    output.style.minHeight = `${(output.hidden ? fixed : output)?.offsetHeight ?? 0}px`; // what follows stays where it is
    output.hidden = false;
    if (fixed?.isConnected) { release(fixed); fixed.remove(); }
  }

  end(cell) {
    cell.place?.removeAttribute("aria-busy");
    cell.output.style.minHeight = "";
    makeReachable(cell.output);
  }
}

/** What Jupyter's output lacks for the keyboard and the ear: whatever scrolls takes the focus, each slider has a name. */
function makeReachable(output) {
  for (const text of output.querySelectorAll("pre")) if (text.scrollWidth > text.clientWidth) text.tabIndex = 0;
  for (const handle of output.querySelectorAll(".noUi-handle:not([aria-label])"))
    handle.ariaLabel = handle.closest(".jupyter-widgets")?.querySelector("label")?.textContent ?? "";
}

/** Let the static page's own widgets in `element` go. */
function release(element) {
  const host = globalThis.ffnHost;
  for (const view of element.querySelectorAll("[data-ffn-host=drawn]"))
    for (const model of host?.models.values() ?? []) if (model.views.has(view)) host.unmount(model, view);
}
