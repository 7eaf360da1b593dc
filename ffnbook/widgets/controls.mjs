// What every widget shares: numbers as the page's language writes them, small DOM builders, a slider with
// its field, live text, links to a setting, and the life of a view. Python puts this file in front of each
// widget's own (see script in base.py), because a front-end module must be one self-contained text.

const MINUS = "\u2212", THIN = "\u202f", NBSP = "\u00a0";
const STYLES = {
  es: { decimal: ",", group: THIN, groupFrom: 5, percent: `${NBSP}%` },
  en: { decimal: ".", group: ",", groupFrom: 4, percent: "%" },
};

// ---- numbers ------------------------------------------------------------------------------------

/** `value` written for the reader, digit for digit as ffnbook.numbers.num writes it. */
export function num(value, { decimals, sig, sci = false, percent = false, lang = "en" } = {}) {
  const style = STYLES[lang];
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : (value < 0 ? MINUS : "") + "∞";
  if (percent) return num(Number(exponential(100 * value, 14)), { decimals, sig, lang }) + style.percent;
  const [mantissa, exponent] = (sci && value ? exponential(value, (sig || 3) - 1) : digits(value, decimals, sig)).split("e");
  return localise(mantissa, style) + (exponent ? `${NBSP}×${NBSP}10${superscript(Number(exponent))}` : "");
}

function digits(value, decimals, sig) {
  if (decimals === undefined && sig !== undefined) decimals = Math.max(0, sig - 1 - Number(exponential(value, sig - 1).split("e")[1]));
  if (decimals !== undefined) return fixed(value, decimals);
  if (Number.isInteger(value)) return String(BigInt(value));
  return Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
}

/** toFixed, but an exact half goes to the even digit, as Python rounds it. */
function fixed(value, decimals) {
  if (Math.abs(value) >= 1e21) return BigInt(value) + (decimals ? `.${"0".repeat(decimals)}` : "");
  const exact = value.toFixed(100);
  return toEven(exact, exact.length - 100 + (decimals || -1)) ?? value.toFixed(decimals);
}

/** toExponential with the same rule. */
function exponential(value, digits) {
  const [mantissa, exponent] = value.toExponential(100).split("e");
  const kept = toEven(mantissa, mantissa.length - 100 + (digits || -1));
  return kept === null ? value.toExponential(digits) : `${kept}e${exponent}`;
}

/** The first `length` characters, if what follows is exactly a half and they end in an even digit; else null. */
function toEven(exact, length) {
  const kept = exact.slice(0, length);
  return /[02468]$/.test(kept) && /^\.?50*$/.test(exact.slice(length)) ? kept : null;
}

function localise(plain, style) {
  const sign = plain.startsWith("-") && /[1-9]/.test(plain) ? MINUS : ""; // a zero has no sign
  let [whole, fraction] = plain.replace("-", "").split(".");
  if (whole.length >= style.groupFrom) whole = whole.replace(/\B(?=(\d{3})+$)/g, style.group);
  return sign + whole + (fraction ? style.decimal + fraction : "");
}

const superscript = (n) => String(n).replace(/[-\d]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));

/**
 * What a reader typed, as a number; NaN if it is none. Takes the decimal point and the comma, either minus,
 * spaces between groups, and a fraction (8/3). Where both marks occur the last one is the decimal; in a field
 * for whole numbers, a mark before every three digits groups them (12.288, 50,257).
 */
export function parse(text, { integer = false } = {}) {
  const plain = text.replace(/\s/g, "").replaceAll(MINUS, "-");
  const parts = plain.split("/").map((part) => parseOne(part, integer));
  const value = parts.length === 1 ? parts[0] : parts.length === 2 ? parts[0] / parts[1] : NaN;
  return integer && !Number.isInteger(value) ? NaN : value;
}

function parseOne(text, integer) {
  const marks = text.replace(/[^.,]/g, "");
  if (integer && /^[+-]?\d{1,3}([.,]\d{3})+$/.test(text)) text = text.replace(/[.,]/g, "");
  else if (marks.length > 1 && marks.at(0) !== marks.at(-1)) text = text.replaceAll(marks[0], "");
  return /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text.replace(",", ".")) : NaN;
}

export const clamp = (value, min, max) => Math.min(max, Math.max(min, value));

/** "{a} of {b}" with its values. */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);

// ---- elements -----------------------------------------------------------------------------------

/** An element with its attributes (functions become listeners, true an empty attribute) and children. */
export function h(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/** Move places apart so that each has its size, keeping their order and, if they fit, staying in [low, high]. */
export function spread(places, sizes, low, high) {
  const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b] || a - b), out = [];
  let floor = low;
  for (const i of order) floor = (out[i] = Math.max(places[i], floor)) + sizes[i];
  let ceiling = high;
  for (const i of order.reverse()) ceiling = out[i] = Math.min(out[i], ceiling - sizes[i]);
  return out;
}

/** Give a node its text, touching the page only if it changes. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A table body of numbers. `show([{key, cells: [text, …]}])` makes rows with `make(key)` only when the keys change. */
export function rows(make) {
  const body = h("tbody");
  let keys = "", made = [];
  const show = (list) => {
    const wanted = list.map(({ key }) => key).join();
    if (wanted !== keys) body.replaceChildren(...(made = list.map(({ key }) => make(key))));
    keys = wanted;
    list.forEach(({ cells }, i) => cells.forEach((text, n) => say(made[i].children[n].lastChild, text)));
  };
  return { body, show };
}

/** Measures texts in the font of `node`: `width(text, px, weight)`. By canvas, so no layout is forced. */
export function ruler(node) {
  const pen = document.createElement("canvas").getContext("2d"), known = new Map();
  return (text, px = 13, weight = 400) => {
    const key = `${weight} ${px}px ${text}`;
    if (!known.has(key)) {
      pen.font = `${weight} ${px}px ${getComputedStyle(node).fontFamily}`;
      known.set(key, 1.05 * pen.measureText(text).width); // a little more: the page's font may still be loading
    }
    return known.get(key);
  };
}

let made = 0;
const family = Math.random().toString(36).slice(2, 8);
/** An id no other widget of the page has. */
export const uid = () => `ffnw-${family}-${++made}`;

/** `draw` once in the next frame, however often it is asked for. */
export function perFrame(draw, signal) {
  let asked = 0;
  signal.addEventListener("abort", () => cancelAnimationFrame(asked));
  return () => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      draw();
    });
  };
}

// ---- controls -----------------------------------------------------------------------------------

/**
 * A native slider and, beside it, a field that takes the exact number.
 *
 * The field takes anything in [min, max]; the slider runs over `stops` (an array) or over [from, to] by `step`,
 * and is left out with `bare`. `format` writes a value; `check(value)` may return an error text.
 * `onInput(value)` hears what the reader chooses. Returns {node, set(value), enable(on), over(stops)}.
 */
export function slider({ label, hint, min, max, from = min, to = max, step, stops, bare, integer, format, check, errors, onInput }) {
  const id = uid();
  let now = NaN, typing = false, track;
  const range = h("input", { type: "range", id });
  const problem = h("p", { class: "ffnw-error", id: `${id}-e`, role: "alert", hidden: true });
  const keyboard = min < 0 ? "text" : integer ? "numeric" : "decimal"; // phones' number pads lack the minus sign
  const field = h("input", {
    type: "text", id: `${id}-f`, inputmode: keyboard, autocomplete: "off", spellcheck: "false",
    "aria-labelledby": `${id}-l`, "aria-describedby": `${id}-e`,
  });
  const name = h("label", { for: bare ? `${id}-f` : id, id: `${id}-l` }, label, ...(hint ? [" ", h("small", {}, hint)] : []));
  const node = h("div", { class: bare ? "ffnw-slider ffnw-bare" : "ffnw-slider" }, name, ...(bare ? [] : [range]), field, problem);

  const over = (values) => {
    now = NaN;
    track = trackOf(values, from, to, step);
    for (const key of ["min", "max", "step"]) range[key] = track[key];
  };
  const complain = (text) => {
    problem.textContent = text ?? "";
    problem.hidden = !text;
    field.setAttribute("aria-invalid", String(Boolean(text)));
  };
  const set = (value) => {
    if (value === now && !typing && problem.hidden) return;
    now = value;
    range.value = track.position(value);
    range.setAttribute("aria-valuetext", format(value));
    if (typing) return;
    field.value = format(value);
    complain(null);
  };
  const choose = (value) => {
    typing = false;
    set(value);
    onInput(value);
  };
  const read = () => {
    const value = parse(field.value, { integer });
    const wrong = Number.isNaN(value) ? errors[integer ? "integer" : "number"]
      : value < min || value > max ? fill(errors.range, { min: format(min), max: format(max) }) : check?.(value);
    if (wrong) complain(wrong);
    else choose(value);
  };
  range.addEventListener("input", () => choose(track.value(Number(range.value))));
  field.addEventListener("input", () => { typing = true; });
  field.addEventListener("change", read);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") read();
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    choose(track.value(clamp(track.position(now) + way * track.step, track.min, track.max)));
  });
  over(stops);
  return { node, set, over, enable: (on) => { range.disabled = field.disabled = !on; } };
}

/** How a slider's position maps to values: by index over `stops`, else evenly. Steps are free of rounding dust. */
function trackOf(stops, min, max, step) {
  if (!stops) return { min, max, step, position: (v) => v, value: (p) => Number(p.toFixed(9)) };
  return { min: 0, max: stops.length - 1, step: 1, position: (v) => nearest(stops, v), value: (i) => stops[i] };
}

/** Index of the stop nearest to `value`. */
export function nearest(stops, value) {
  return stops.reduce((best, stop, i) => (Math.abs(stop - value) < Math.abs(stops[best] - value) ? i : best), 0);
}

/** A labelled checkbox; `mark` (an element) may precede its text. `set` takes true, false or null (mixed). */
export function check({ label, mark, onInput }) {
  const box = h("input", { type: "checkbox", change: () => onInput(box.checked) });
  const node = h("label", { class: "ffnw-check" }, box, ...(mark ? [mark] : []), h("span", {}, label));
  const set = (value) => {
    box.checked = Boolean(value);
    box.indeterminate = value === null;
  };
  return { node, box, set };
}

/** The texts of these keys, in this order: a page that was kept gives them back with their keys sorted. */
export const texts = (all, keys) => keys.map((key) => [key, all[key]]);

/** One of a few, as native radio buttons in a row. `options` is [[value, text], …]. */
export function choice({ label, options, onInput }) {
  const name = uid();
  const inputs = options.map(([value]) => h("input", { type: "radio", name, value, change: () => onInput(value) }));
  const labels = options.map(([, text], i) => h("label", {}, inputs[i], h("span", {}, text)));
  const node = h("fieldset", { class: "ffnw-choice" }, h("legend", {}, label), h("div", {}, ...labels));
  return { node, set: (value) => inputs.forEach((input) => { input.checked = input.value === value; }) };
}

export const button = (text, onClick, style) => h("button", { type: "button", click: onClick, class: style }, text);

/** Text for screen readers, spoken when the reader pauses: `say` may be called on every change. */
export function spoken(signal, pause = 700) {
  const node = h("p", { class: "ffnw-spoken", "aria-live": "polite" });
  let timer = 0;
  signal.addEventListener("abort", () => clearTimeout(timer));
  const later = (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => say(node, text), pause);
  };
  return { node, say: later };
}

// ---- links to a setting -------------------------------------------------------------------------

/** "#name:key=value&key=value;other:…": the pairs for `name`, or null. Lists are written a,b. */
export function readHash(hash, name) {
  for (const part of hash.replace(/^#/, "").split(";")) {
    const colon = part.indexOf(":");
    if (colon > 0 && part.slice(0, colon) === name) return Object.fromEntries(new URLSearchParams(part.slice(colon + 1)));
  }
  return null;
}

export function writeHash(name, pairs) {
  return `#${name}:${new URLSearchParams(pairs).toString().replaceAll("%2C", ",")}`;
}

/**
 * Let the page's address set the widget, and offer a button that copies such an address. Only where the
 * address is the page's own: the static host marks its views with data-ffn-host; in JupyterLab it is the app's.
 */
function linked({ el, model, root, signal, strings, encode, decode, apply }) {
  if (!el.closest("[data-ffn-host]")) return [];
  const name = model.get("anchor");
  const follow = () => {
    const pairs = readHash(location.hash, name);
    if (!pairs) return;
    apply(decode(pairs));
    // what does not fit the window is shown from its top: there is the drawing
    root.scrollIntoView({ block: root.offsetHeight + 80 > innerHeight ? "start" : "center" });
  };
  addEventListener("hashchange", follow, { signal });
  requestAnimationFrame(follow);
  const answer = h("span", { role: "status" });
  const copy = async () => {
    const address = new URL(writeHash(name, encode()), location.href).href;
    try {
      await navigator.clipboard.writeText(address);
      answer.textContent = strings.copied;
    } catch { // no permission, or not a secure page: let the reader copy it
      const field = h("input", { type: "text", readonly: true, value: address, "aria-label": strings.copy_this });
      answer.replaceChildren(field);
      field.select();
    }
  };
  return [button(strings.copy, copy, "ffnw-plain"), answer];
}

// ---- the life of a view -------------------------------------------------------------------------

/**
 * Draw a view of `model` in `el`, and again if its language changes. Returns what takes it all away.
 *
 * `create(tools)` builds the widget and returns {nodes, update, encode, decode, presets}: `update()` shows
 * the model's state, `encode()` and `decode(pairs)` turn it into and out of a link, `presets` is
 * [[text, changes], …]. `tools` has {model, state, put, lang, strings, signal, onResize}: `state()` reads all `traits`,
 * `put(changes)` writes some.
 */
export function mount({ model, el }, traits, create) {
  const first = Object.fromEntries(traits.map((trait) => [trait, model.get(trait)])); // what Reset goes back to
  let stop;
  const start = () => {
    stop?.abort();
    stop = new AbortController();
    view({ model, el, first, create, signal: stop.signal });
  };
  model.on("change:strings", start);
  start();
  return () => {
    stop.abort();
    model.off("change:strings", start);
    el.replaceChildren();
  };
}

function view({ model, el, first, create, signal }) {
  const strings = model.get("strings"), common = strings.controls;
  const state = () => Object.fromEntries(Object.keys(first).map((trait) => [trait, model.get(trait)]));
  const put = (changes) => {
    for (const [key, value] of Object.entries(changes)) model.set(key, value);
    model.save_changes();
  };
  const onResize = (node, draw) => {
    const watch = new ResizeObserver(draw);
    watch.observe(node);
    signal.addEventListener("abort", () => watch.disconnect());
  };
  const root = h("div", { class: "ffnw", role: "group", "aria-label": strings.title, lang: model.get("lang") });
  const widget = create({ model, state, put, lang: model.get("lang"), strings, signal, onResize });
  const update = perFrame(widget.update, signal);
  for (const trait of Object.keys(first)) {
    model.on(`change:${trait}`, update);
    signal.addEventListener("abort", () => model.off(`change:${trait}`, update));
  }
  const presets = (widget.presets ?? []).map(([text, changes]) => button(text, () => put({ ...first, ...changes })));
  const link = linked({ el, model, root, signal, strings: common, encode: widget.encode, decode: widget.decode, apply: put });
  root.append(...widget.nodes, h("div", { class: "ffnw-foot" },
    ...(presets.length ? [h("span", { class: "ffnw-try" }, common.presets), ...presets] : []),
    h("span", { class: "ffnw-end" }, button(common.reset, () => put(first), "ffnw-plain"), ...link)));
  el.replaceChildren(root);
  widget.update(); // now that widths and fonts are known
  // JupyterLab would take arrows and Enter for itself from anything focused that has not this mark.
  for (const node of root.querySelectorAll("input, button, select, [tabindex]")) node.dataset.lmSuppressShortcuts = "";
}
