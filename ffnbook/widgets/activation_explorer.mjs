// The activation explorer: ReLU, GELU (exact and tanh form), SiLU and Swish, their values and slopes.
// First what is worth knowing of the curves, then the drawing.

import { FUNCTIONS } from "./activations.mjs";
import { check, choice, clamp, fill, h, mount, num, rows, ruler, say, slider, spoken, spread, svg, texts, uid } from "./controls.mjs";

// ---- the curves ---------------------------------------------------------------------------------

const NAMES = Object.keys(FUNCTIONS);

export const difference = {
  value: (x) => FUNCTIONS.gelu.value(x) - FUNCTIONS.gelu_tanh.value(x),
  slope: (x) => FUNCTIONS.gelu.slope(x) - FUNCTIONS.gelu_tanh.slope(x),
};

/** Where f, negative at `low` and positive at `high`, crosses zero. */
export function crossing(f, low, high) {
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Where f is largest between `low` and `high`, if it has one peak there (golden section). */
export function peak(f, low, high) {
  const golden = (Math.sqrt(5) - 1) / 2;
  while (high - low > 1e-9) {
    const a = high - golden * (high - low), b = low + golden * (high - low);
    if (f(a) > f(b)) high = b;
    else low = a;
  }
  return (low + high) / 2;
}

const known = new Map();
/** What `find` finds, once for each name. */
function once(name, find) {
  if (!known.has(name)) known.set(name, find());
  return known.get(name);
}

const SMOOTH = ["gelu", "gelu_tanh", "silu"];

/** The lowest point {x, y} of a smooth one; ReLU and Swish with β = 0 have none. Swish is SiLU shrunk by β. */
export function minimum(name, beta = 1) {
  if (name === "swish" && beta > 0) return shrunk(minimum("silu"), beta, beta);
  if (!SMOOTH.includes(name)) return null;
  return once(`minimum ${name}`, () => {
    const { value, slope } = FUNCTIONS[name], x = crossing(slope, -2, -0.3);
    return { x, y: value(x) };
  });
}

/** The steepest place {x, y} on the right, y its slope; on the left there is its mirror, at −x with 1 − y. */
export function steepest(name, beta = 1) {
  if (name === "swish" && beta > 0) return shrunk(steepest("silu"), beta, 1);
  if (!SMOOTH.includes(name)) return null;
  return once(`steepest ${name}`, () => {
    const { slope } = FUNCTIONS[name], x = peak(slope, 0.8, 4);
    return { x, y: slope(x) };
  });
}

const shrunk = ({ x, y }, byX, byY) => ({ x: x / byX, y: y / byY });

/** Where exact and tanh form differ most on the right, {x, y}; the value is even in x, the slope odd. */
export function largestGap(quantity) {
  return once(`gap ${quantity}`, () => {
    const f = difference[quantity], x = peak((x) => Math.abs(f(x)), ...(quantity === "value" ? [2, 3.5] : [1.5, 2.5]));
    return { x, y: f(x) };
  });
}

// ---- what is in view ----------------------------------------------------------------------------

const LIMIT = 5, BETA_MAX = 10;
const X_RANGE = { whole: [-LIMIT, LIMIT], negative: [-LIMIT, 0.2] };
const Y_RANGE = {
  value: { whole: [-0.8, 5.2], negative: [-0.34, 0.2] },
  slope: { whole: [-0.25, 1.25], negative: [-0.18, 0.75] },
};
const GAP_RANGE = { value: [-6e-4, 3.6e-4], slope: [-1.1e-3, 1.1e-3] };
const LOWER = [-0.65, -1.3, -2.75]; // further floors, for Swish with a small β

/** The visible rectangle {x: [low, high], y: [low, high]}. */
export function frame({ quantity, zoom, difference: gap, show, beta }) {
  const x = X_RANGE[zoom];
  if (gap) return { x, y: GAP_RANGE[quantity] };
  let [low, high] = Y_RANGE[quantity][zoom];
  if (quantity === "value" && show.includes("swish")) {
    const deepest = FUNCTIONS.swish.value(Math.max(minimum("swish", beta)?.x ?? -LIMIT, -LIMIT), beta);
    if (deepest < low) low = LOWER.find((floor) => floor < deepest);
  }
  return { x, y: [low, high] };
}

/** Round numbers between low and high, about `count` of them. */
export function ticks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

// ---- links --------------------------------------------------------------------------------------

const TRAITS = ["show", "quantity", "zoom", "difference", "beta", "x"];

/** A setting as text pairs for a link: x=-0.75&show=gelu,silu&quantity=slope&zoom=negative&beta=2&difference=1. */
export function encode({ show, quantity, zoom, difference: gap, beta, x }) {
  return { x: String(x), show: show.join(","), quantity, zoom, beta: String(beta), ...(gap ? { difference: "1" } : {}) };
}

/** The setting such pairs ask for: unknown names are dropped, numbers brought into bounds, what is missing left out. */
export function decode(pairs) {
  const state = {};
  if ("show" in pairs) state.show = NAMES.filter((name) => pairs.show.split(",").includes(name));
  if (Object.hasOwn(Y_RANGE, pairs.quantity)) state.quantity = pairs.quantity;
  if (Object.hasOwn(X_RANGE, pairs.zoom)) state.zoom = pairs.zoom;
  const x = parseFloat(pairs.x), beta = parseFloat(pairs.beta);
  if (Number.isFinite(x)) state.x = clamp(x, -LIMIT, LIMIT);
  if (Number.isFinite(beta)) state.beta = clamp(beta, 0, BETA_MAX);
  state.difference = pairs.difference === "1";
  return state;
}

// ---- drawing ------------------------------------------------------------------------------------

const FINE = 241; // points on a curve

/** The points [x, y] of one curve; ReLU's corners exactly. */
export function samples(f, [low, high], straight) {
  if (straight) return [low, 0, straight === "slope" ? 1e-9 : 0, high].map((x) => [x, f(x)]);
  return Array.from({ length: FINE }, (_, i) => low + (high - low) * i / (FINE - 1)).map((x) => [x, f(x)]);
}

/** The curves in view, [{name, f, points}]; sampled once, since only Swish ever changes. */
function curves(state, cache) {
  const { quantity, show, beta } = state, { x } = frame(state);
  const curve = (name, f) => {
    const key = [name, quantity, x, name === "swish" && beta].join();
    if (cache.size > 40) cache.clear();
    if (!cache.has(key)) cache.set(key, samples(f, x, name === "relu" && quantity));
    return { name, f, points: cache.get(key) };
  };
  if (state.difference) return [curve("gap", difference[quantity])];
  return NAMES.filter((name) => show.includes(name)).map((name) => curve(name, (x) => FUNCTIONS[name][quantity](x, beta)));
}

/** Points worth a ring: minima; zeros and steepest places of the slope; the largest gap. [{name, x, y, labelled}] */
export function landmarks(state) {
  const { quantity, beta, show } = state, { x: [left, right], y: [low, high] } = frame(state);
  const found = state.difference ? [gapMarks(quantity)]
    : NAMES.filter((name) => show.includes(name) && minimum(name, beta)).map((name) => pointMarks(name, state));
  return found.flat().filter(({ x, y }) => x > left && x < right && y > low && y < high);
}

function gapMarks(quantity) {
  const { x, y } = largestGap(quantity);
  return [-1, 1].map((side) => ({ name: "gap", x: side * x, y: quantity === "slope" ? side * y : y, labelled: true }));
}

function pointMarks(name, { quantity, zoom, beta }) {
  const low = minimum(name, beta), { x, y } = steepest(name, beta);
  if (quantity === "value") return [{ name, ...low, labelled: zoom === "negative" }];
  return [{ name, x: low.x, y: 0 }, { name, x: -x, y: 1 - y, labelled: true }, { name, x, y, labelled: true }];
}

/** From the state's units to pixels: {x, y, back, box}, leaving room for ticks and for the curves' names. */
function scales(state, width, height, names) {
  const { x, y } = frame(state);
  const box = { left: 46, right: width - 16 - names, top: 26, bottom: height - 26 };
  const perX = (box.right - box.left) / (x[1] - x[0]), perY = (box.bottom - box.top) / (y[1] - y[0]);
  return {
    box, frame: { x, y }, x: (v) => box.left + (v - x[0]) * perX, y: (v) => box.bottom - (v - y[0]) * perY,
    back: (px) => x[0] + (px - box.left) / perX,
  };
}

function axes(state, to, { strings, lang }) {
  const { left, right, top, bottom } = to.box, unit = state.difference ? 1e-4 : 1;
  const columns = ticks(...to.frame.x, right - left < 320 ? 5 : 10), lines = ticks(...to.frame.y, 6);
  const decimals = Math.max(0, -Math.floor(Math.log10((lines[1] - lines[0]) / unit) + 1e-9));
  const line = (v, d) => svg("path", { class: Math.abs(v) < 1e-12 ? "zero" : "grid", d });
  return svg("g", { class: "axes" },
    ...columns.flatMap((v) => [line(v, `M${to.x(v)},${top}V${bottom}`),
      svg("text", { x: to.x(v), y: bottom + 18, "text-anchor": "middle" }, num(v, { lang }))]),
    ...lines.flatMap((v) => [line(v, `M${left},${to.y(v)}H${right}`),
      svg("text", { x: left - 8, y: to.y(v) + 4, "text-anchor": "end" }, Math.abs(v) < 1e-12 ? "0" : num(v / unit, { decimals, lang }))]),
    svg("text", { x: 4, y: 14 }, strings.axis[state.difference ? "gap" : state.quantity]),
    svg("text", { x: right + 12, y: bottom + (state.difference ? 4 : 18) }, "x"));
}

function curveLayer(shown, to, id) {
  const { left, right, top, bottom } = to.box;
  const path = (points) => `M${points.map(([x, y]) => `${to.x(x).toFixed(1)},${to.y(y).toFixed(1)}`).join("L")}`;
  return svg("g", {},
    svg("clipPath", { id }, svg("rect", { x: left, y: top, width: right - left, height: bottom - top })),
    svg("g", { "clip-path": `url(#${id})` }, ...shown.map(({ name, points }) => svg("path", { class: `curve ${name}`, d: path(points) }))));
}

/** Rings, and beside them their height; of two texts that would touch, the first stays. */
function ringLayer(state, to, lang, measure) {
  const marks = landmarks(state).map((m) => ({ ...m, px: to.x(m.x), py: to.y(m.y) })), texts = [];
  for (const m of marks) {
    m.text = num(m.y, state.difference ? { sci: true, lang } : { decimals: 4, lang });
    m.room = measure(m.text) + 8;
    if (m.labelled && texts.every((t) => Math.abs(t.px - m.px) > m.room || Math.abs(t.py - m.py) > 17)) texts.push(m);
  }
  return svg("g", {}, ...marks.map((m) => svg("circle", { class: `ring ${m.name}`, cx: m.px, cy: m.py, r: 4.5 })),
    ...texts.map((m) => svg("text", {
      class: `note ${m.name}`, "text-anchor": "middle", y: m.py + (m.y < 0 ? 20 : -11),
      x: clamp(m.px, to.box.left + m.room / 2, to.box.right - m.room / 2),
    }, m.text)));
}

/** Each curve's name beside the last point in view, the names moved apart. One curve alone is named by its axis. */
function nameLayer(shown, to, { strings }) {
  const { right, top, bottom } = to.box, [low, high] = to.frame.y;
  const ends = shown.map(({ points }) => points.findLast(([, y]) => y >= low && y <= high) ?? points.at(-1));
  const heights = spread(ends.map(([, y]) => to.y(y)), ends.map(() => 17), top - 4, bottom + 8);
  return svg("g", {}, ...shown.flatMap(({ name }, i) => [
    svg("path", { class: `leader ${name}`, d: `M${to.x(ends[i][0])},${to.y(ends[i][1])}H${right}L${right + 8},${heights[i]}` }),
    svg("text", { class: `name ${name}`, x: right + 12, y: heights[i] + 4.5 }, strings.short[name])]));
}

/** The line at x and a dot on each curve: all that moves when x does. */
function cursor(x, shown, to) {
  const { x: [left, right], y: [low, high] } = to.frame;
  if (x < left || x > right) return [];
  const dots = shown.map(({ name, f }) => ({ name, y: f(x) })).filter(({ y }) => y >= low && y <= high);
  return [svg("path", { class: "cursor", d: `M${to.x(x)},${to.box.top}V${to.box.bottom}` }),
    ...dots.map(({ name, y }) => svg("circle", { class: `dot ${name}`, cx: to.x(x), cy: to.y(y), r: 4.5 }))];
}

/** The picture, which is also a slider for x. */
function plot(tools, move) {
  const { state, strings, onResize } = tools, picture = svg("svg", { "aria-hidden": "true" }), moving = svg("g");
  const node = h("div", { class: "ffnw-plot", role: "slider", tabindex: "0", "aria-label": strings.plot }, picture);
  const cache = new Map(), id = uid(), measure = ruler(node);
  let to, shown;
  const mark = () => moving.replaceChildren(...cursor(state().x, shown, to));
  const draw = () => {
    const now = state(), width = node.clientWidth || 640, height = node.clientHeight || 320;
    shown = curves(now, cache);
    to = scales(now, width, height, now.difference ? 0 : Math.max(...NAMES.map((name) => measure(strings.short[name], 14, 600))));
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.replaceChildren(axes(now, to, tools), curveLayer(shown, to, id), ringLayer(now, to, tools.lang, measure),
      ...(now.difference ? [] : [nameLayer(shown, to, tools)]), moving);
    mark();
  };
  const follow = (event) => move(to.back(event.clientX - node.getBoundingClientRect().left));
  node.addEventListener("pointerdown", (event) => {
    node.setPointerCapture(event.pointerId);
    follow(event);
  });
  node.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" || event.buttons) follow(event);
  });
  node.addEventListener("keydown", (event) => {
    const target = keyTarget(event.key, state());
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(target);
  });
  onResize(node, draw);
  return { node, draw, mark };
}

/** Where a key takes x: arrows a little, pages half a unit, Home and End to the edges. */
function keyTarget(key, { x, zoom }) {
  const [left, right] = X_RANGE[zoom], step = zoom === "negative" ? 0.01 : 0.05;
  return { ArrowRight: x + step, ArrowUp: x + step, ArrowLeft: x - step, ArrowDown: x - step,
    PageUp: x + 0.5, PageDown: x - 0.5, Home: left, End: right }[key];
}

// ---- reading off --------------------------------------------------------------------------------

/** Four decimals, or three digits and a power of ten where those would show nothing. */
export function write(value, lang) {
  return num(value, value !== 0 && Math.abs(value) < 5e-3 ? { sci: true, lang } : { decimals: 4, lang });
}

/** The rows of the table: [{name, value, slope, low}] for what is shown, low its lowest point or largest gap. */
export function readings({ show, difference: gap, quantity, beta, x }) {
  const row = (name, f, low) => ({ name, value: f.value(x, beta), slope: f.slope(x, beta), low });
  const names = gap ? ["gelu", "gelu_tanh"] : NAMES.filter((name) => show.includes(name));
  const rows = names.map((name) => row(name, FUNCTIONS[name], gap ? null : minimum(name, beta)));
  return gap ? [...rows, row("gap", difference, largestGap(quantity))] : rows;
}

function readout({ state, strings, lang }) {
  const caption = h("caption"), lowHead = h("th", { scope: "col", class: "ffnw-wide" }), note = h("p", { class: "ffnw-note" });
  const { body, show } = rows((name) => h("tr", {}, h("th", { scope: "row" }, sample(name), " ", h("span")), h("td", {}, ""), h("td", {}, ""),
    h("td", { class: "ffnw-wide" }, "")));
  const table = h("table", {}, caption, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, strings.function),
    h("th", { scope: "col" }, strings.quantity.value), h("th", { scope: "col" }, strings.quantity.slope), lowHead)), body);
  const lowest = (low, gap) => (low ? fill(strings.lowest, {
    y: write(low.y, lang), x: (gap ? "±" : "") + num(low.x, { decimals: gap ? 3 : 4, lang }) }) : "–");
  const update = () => {
    const now = state(), list = readings(now);
    say(caption, fill(strings.at, { x: num(now.x, { decimals: 2, lang }) }));
    say(lowHead, strings[now.difference ? "largest" : "minimum"]);
    show(list.map(({ name, value, slope, low }) => ({
      key: name, cells: [title(name, now, strings, lang), write(value, lang), write(slope, lang), lowest(low, now.difference)] })));
    say(note, list.length === 0 ? strings.nothing : now.x === 0 && list[0].name === "relu" ? strings.corner : "");
  };
  /** The same in one sentence, for screen readers. */
  const sentence = () => {
    const now = state(), x = num(now.x, { decimals: 2, lang });
    return fill(strings.at, { x }) + ". " + (readings(now).map(({ name, value, slope }) => fill(strings.reading,
      { name: title(name, now, strings, lang), value: write(value, lang), slope: write(slope, lang) })).join("; ") || strings.nothing);
  };
  return { node: h("div", { class: "ffnw-readout" }, table, note), update, sentence };
}

const title = (name, { beta }, strings, lang) => fill(strings.names[name], { beta: num(beta, { lang }) });

/** A short piece of a curve's line: its colour and its dash. */
function sample(name) {
  return svg("svg", { class: "ffnw-sample", viewBox: "0 0 26 8", "aria-hidden": "true" }, svg("path", { class: `curve ${name}`, d: "M1,4H25" }));
}

// ---- the widget ---------------------------------------------------------------------------------

/** What to change to follow x: it may leave the negative side only if the whole axis is shown. */
const moved = (x, zoom) => ({ x, ...(x > X_RANGE[zoom][1] ? { zoom: "whole" } : {}) });

function create(tools) {
  const { state, put, strings, lang, signal } = tools, errors = strings.controls.errors;
  const picture = plot(tools, (x) => put({ x: clamp(Math.round(x * 100) / 100, ...X_RANGE[state().zoom]) }));
  const table = readout(tools), live = spoken(signal);
  const toggles = NAMES.map((name) => check({
    label: strings.short[name], mark: sample(name),
    onInput: (on) => put({ show: NAMES.filter((n) => (n === name ? on : state().show.includes(n))) }),
  }));
  const functions = h("fieldset", { class: "ffnw-choice" }, h("legend", {}, strings.functions), h("div", {}, ...toggles.map((t) => t.node)));
  const quantity = choice({ label: strings.show, options: texts(strings.quantity, ["value", "slope"]), onInput: (q) => put({ quantity: q }) });
  const zoom = choice({ label: strings.zoom, options: texts(strings.zooms, ["whole", "negative"]),
    onInput: (z) => put({ zoom: z, x: clamp(state().x, ...X_RANGE[z]) }) });
  const gap = check({ label: strings.difference, mark: sample("gap"), onInput: (on) => put({ difference: on }) });
  const format = (v) => num(v, { decimals: 2, lang });
  const x = slider({ label: "x", min: -LIMIT, max: LIMIT, step: 0.01, format, errors, onInput: (v) => put(moved(v, state().zoom)) });
  const beta = slider({ label: "β", hint: strings.beta, min: 0, max: BETA_MAX, step: 0.05, format, errors,
    onInput: (v) => put({ beta: v, show: NAMES.filter((n) => n === "swish" || state().show.includes(n)) }) });

  let before = "";
  const update = () => {
    const { x: at, ...rest } = state(), now = JSON.stringify(rest);
    if (now === before) picture.mark();
    else picture.draw();
    before = now;
    NAMES.forEach((name, i) => toggles[i].set(rest.show.includes(name)));
    functions.disabled = rest.difference;
    quantity.set(rest.quantity);
    zoom.set(rest.zoom);
    gap.set(rest.difference);
    x.set(at);
    beta.set(rest.beta);
    beta.enable(!rest.difference);
    table.update();
    const { node } = picture, [left, right] = X_RANGE[rest.zoom], text = table.sentence();
    for (const [name, value] of Object.entries({ valuemin: left, valuemax: right, valuenow: at, valuetext: text })) node.setAttribute(`aria-${name}`, value);
    if (node.getRootNode().activeElement !== node) live.say(text);
  };
  const nodes = [picture.node,
    h("div", { class: "ffnw-pair" }, x.node, beta.node),
    h("div", { class: "ffnw-row" }, functions, quantity.node, zoom.node, h("div", { class: "ffnw-choice" }, gap.node)),
    table.node, live.node];
  return { nodes, update, encode: () => encode(state()), decode, presets: presets(strings) };
}

const presets = ({ presets: text }) => [
  [text.dip, { show: ["relu", "gelu", "silu"], zoom: "negative", x: -0.75 }],
  [text.slopes, { show: ["relu", "gelu", "silu"], quantity: "slope", x: 1.41 }],
  [text.towards_relu, { show: ["relu", "swish"], beta: 8, x: -0.5 }],
  [text.forms, { difference: true, x: 2.7 }],
];

export default { render: (context) => mount(context, TRAITS, create) };
