// Draws the notebook widgets of a static page: no kernel, no other host, nothing loaded before it is needed.
//
// The build leaves in the page the state of all widget models and, where a widget was displayed, a script naming
// its model. Such a place is drawn, through anywidget's front-end-module interface (anywidget.dev/en/afm), when it
// comes near the viewport, when the address names its anchor, or before printing. Until then, and if that fails,
// the fallback beside it stays. Views carry data-ffn-host: waiting, drawing, drawn, failed or needs-python.

const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';
const BOXES = ["BoxModel", "HBoxModel", "VBoxModel"];
const LINKS = ["LinkModel", "DirectionalLinkModel"];

/** A widget's state with the methods a front-end module may use. What is saved stays in the page. */
export class Model {
  listeners = new Map(); // event name → set of callbacks

  constructor(state, kind = "AnyModel") {
    Object.assign(this, { state, kind, views: new Map() });
  }
  get(key) {
    return this.state[key];
  }
  set(key, value) {
    if (Object.is(this.state[key], value)) return;
    this.state[key] = value;
    this.emit(`change:${key}`, value);
    this.emit("change");
  }
  save_changes() {}
  send() {
    console.warn("[ffnbook:host] no kernel: message dropped");
  }
  on(names, callback) {
    for (const name of names.split(" ")) {
      if (!this.listeners.has(name)) this.listeners.set(name, new Set());
      this.listeners.get(name).add(callback);
    }
  }
  /** Forget one callback, all of an event, or (without arguments) all. */
  off(names, callback) {
    for (const name of names?.split(" ") ?? [...this.listeners.keys()]) {
      if (callback) this.listeners.get(name)?.delete(callback);
      else this.listeners.delete(name);
    }
  }
  emit(name, value) {
    for (const callback of [...(this.listeners.get(name) ?? [])]) callback(this, value);
  }
}

const models = new Map(); // id → Model
const modules = new Map(); // text of a front-end module → promise of what it exports
const find = (reference) => models.get(reference.replace("IPY_MODEL_", ""));
const children = (model) => (BOXES.includes(model.kind) ? model.get("children").map(find) : []);

/** Whether the model, and all it contains, can be drawn without Python. */
const drawable = (model) => Boolean(model) && (model.kind === "AnyModel" || BOXES.includes(model.kind)) && children(model).every(drawable);

/** Read the page's widget states into models, and join those that jslink or jsdlink joined. */
function readModels(root) {
  for (const script of root.querySelectorAll(STATE))
    for (const [id, { state, model_name, buffers }] of Object.entries(JSON.parse(script.textContent).state)) {
      for (const { path, data } of buffers ?? []) {
        const owner = path.slice(0, -1).reduce((part, key) => part[key], state);
        owner[path.at(-1)] = new DataView(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer);
      }
      if (!models.has(id)) models.set(id, new Model(state, model_name));
    }
  for (const model of models.values()) if (LINKS.includes(model.kind)) join(model);
}

function join(link) {
  const [from, key] = link.get("source"), [to, other] = link.get("target"), a = find(from), b = find(to);
  const copy = () => b.set(other, a.get(key));
  a.on(`change:${key}`, copy);
  if (link.kind === "LinkModel") b.on(`change:${other}`, () => a.set(key, b.get(other)));
  copy();
}

/** Import a module from its text, once. */
function load(text) {
  if (!modules.has(text)) {
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    modules.set(text, import(address).finally(() => URL.revokeObjectURL(address)));
  }
  return modules.get(text);
}

/** The front-end module of a model: loaded, styled and initialized once. */
function prepare(model) {
  return (model.ready ??= (async () => {
    const exported = (await load(model.get("_esm"))).default;
    const widget = typeof exported === "function" ? await exported() : exported;
    const id = `ffn-style-${model.get("_anywidget_id")}`;
    if (model.get("_css") && !document.getElementById(id))
      document.head.append(Object.assign(document.createElement("style"), { id, textContent: model.get("_css") }));
    await widget.initialize?.({ model, signal: new AbortController().signal });
    return widget;
  })());
}

/** Draw a view of `model` in `el`. */
export async function mount(model, el) {
  if (BOXES.includes(model.kind)) {
    el.style.cssText = `display:flex;gap:1rem;flex-flow:${model.kind === "HBoxModel" ? "row wrap" : "column"}`;
    for (const child of children(model)) await mount(child, el.appendChild(document.createElement("div")));
    return;
  }
  const widget = await prepare(model), stop = new AbortController();
  const cleanup = await widget.render({ model, el, signal: stop.signal });
  model.views.set(el, () => {
    stop.abort();
    cleanup?.();
  });
}

/** Take the view in `el` away, and all it listened to. */
export function unmount(model, el) {
  for (const child of children(model)) for (const inner of el.children) unmount(child, inner);
  model.views.get(el)?.();
  model.views.delete(el);
}

/** Prepare the place of one view; returns {area, model, draw}, where `area` is what fills it now. */
function place(script, strings) {
  const model = models.get(JSON.parse(script.textContent).model_id), el = document.createElement("div");
  const around = script.closest(".ffn-widget, .cell_output, .cell") ?? script.parentElement;
  const fallback = [...around.querySelectorAll(".fallback, .ffn-fallback")]
    .filter((node) => node.compareDocumentPosition(script) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1);
  const tell = (status, text) => {
    el.dataset.ffnHost = status;
    if (!text) return;
    el.replaceChildren(Object.assign(document.createElement("p"), { textContent: text }));
    fallback?.querySelector("[style]")?.removeAttribute("style"); // no widget will need the room it reserves
  };
  script.replaceWith(el);
  if (drawable(model)) tell("waiting");
  else tell("needs-python", strings.host_needs_python);
  const draw = async () => {
    if (el.dataset.ffnHost !== "waiting") return;
    tell("drawing");
    try {
      await mount(model, el);
      fallback?.remove();
      tell("drawn");
    } catch (error) {
      console.error("[ffnbook:host]", error);
      tell("failed", strings.host_failed);
    }
  };
  return { area: fallback ?? el, model, draw };
}

/** The anchors by which the address may name a model or what it contains. */
const anchors = (model) => [model.get("anchor"), ...children(model).flatMap(anchors)];

/** Find the widgets below `root` and see to it that each is drawn in time. */
export function start(root = document) {
  readModels(root);
  const strings = JSON.parse(document.getElementById("ffn-strings")?.textContent ?? "{}");
  const places = [...root.querySelectorAll(VIEW)].map((script) => place(script, strings));
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) places.find((p) => p.area === target).draw();
  }, { rootMargin: "600px" });
  const drawNamed = () => {
    const named = location.hash.slice(1).split(";").map((part) => part.split(":")[0]);
    for (const p of places) if (drawable(p.model) && anchors(p.model).some((a) => named.includes(a))) p.draw();
  };
  for (const { area } of places) near.observe(area);
  addEventListener("hashchange", drawNamed);
  addEventListener("beforeprint", () => places.forEach((p) => p.draw()));
  drawNamed();
}

if (globalThis.document) {
  globalThis.ffnHost = { models, mount, unmount, start };
  start();
}
