// A tiny FFN by hand: two numbers in, a few neurons, two numbers out, with every sum written out.
// First the arithmetic and its writing, the same as ffn_by_hand.py (a test compares them), then the drawing.

import { FUNCTIONS } from "./activations.mjs";
import { check, choice, clamp, fill, h, mount, num, say, slider, spoken, svg, texts } from "./controls.mjs";

// ---- arithmetic ---------------------------------------------------------------------------------

const LIMIT = 3; // of x1 and x2
const { relu, gelu, silu } = FUNCTIONS;
const ACTIVATIONS = { none: (z) => z, relu: relu.value, gelu: gelu.value, silu: silu.value };

const affine = (W, values, b) => W.map((row, i) => row.reduce((sum, w, j) => sum + w * values[j], 0) + (b ? b[i] : 0));

/** All that happens to x on its way: {x, z, h, y, out}; `out` is x + y if the residual is added, else y. */
export function steps({ W1, b1, W2, b2 }, { x1, x2, act, biases, residual }) {
  const x = [x1, x2], z = affine(W1, x, biases && b1), hidden = z.map(ACTIVATIONS[act]), y = affine(W2, hidden, biases && b2);
  return { x, z, h: hidden, y, out: residual ? y.map((v, i) => v + x[i]) : y };
}

// ---- writing it out -----------------------------------------------------------------------------

const MINUS_SIGN = "\u2212", SPACE = "\u00a0"; // a line may break before a sign, not after it
const DUST = 1e-12; // what rounding leaves of a zero
const rounded = (value) => Number(value.toFixed(3));
const isShort = (value) => Math.abs(value - rounded(value)) < DUST;
const isOff = (value) => Math.abs(value) < DUST;

/** All of a number that three decimals hold, or three decimals of it: 0 is nothing, −0.000 a little less. */
export function short(value, lang) {
  if (isShort(value)) return num(rounded(value), { lang });
  return (value < 0 ? MINUS_SIGN : "") + num(Math.abs(value), { decimals: 3, lang });
}

const factor = (value, lang) => (value < 0 ? `(${short(value, lang)})` : short(value, lang));
const equals = (...shown) => (shown.every(isShort) ? "=" : "≈") + SPACE;
const name = (letter, i) => letter + "₁₂₃"[i];

/** "0.5·1 + (−1)·2 + 0 = −1.5", and ≈ where a number shown is rounded; without biases, `bias` is an empty list. */
export function writtenSum(weights, values, bias, total, lang) {
  const terms = [...weights.map((w, i) => `${factor(w, lang)}·${factor(values[i], lang)}`), ...bias.map((b) => factor(b, lang))];
  return `${terms.join(` +${SPACE}`)} ${equals(...weights, ...values, ...bias, total)}${short(total, lang)}`;
}

/** How the chosen unit comes about: a neuron's sum and what the activation makes of it, or an output's sum. */
export function account(weights, state, { strings, lang }) {
  const run = steps(weights, state), i = Number(state.unit[1]) - 1, { biases, act, residual } = state;
  const sum = (letter, W, values, b) =>
    `${name(letter, i)} =${SPACE}${writtenSum(W[i], values, biases ? [b[i]] : [], run[letter][i], lang)}`;
  if (state.unit[0] === "h") {
    const how = act === "none" ? "" : ` →${SPACE}${strings.acts[act]}`;
    return `${sum("z", weights.W1, run.x, weights.b1)}${how} →${SPACE}${name("h", i)}${SPACE}${equals(run.h[i])}${short(run.h[i], lang)}`;
  }
  const added = `${name("x", i)}${SPACE}+${SPACE}${name("y", i)} =${SPACE}${short(run.x[i], lang)}${SPACE}+${SPACE}${factor(run.y[i], lang)}`;
  const more = residual ? `; ${added} ${equals(run.x[i], run.y[i])}${short(run.out[i], lang)}` : "";
  return sum("y", weights.W2, run.h, weights.b2) + more;
}

// ---- links --------------------------------------------------------------------------------------

const TRAITS = ["x1", "x2", "act", "biases", "residual", "unit"];
const unitsOf = ({ W1, W2 }) => [...W1.map((_, i) => `h${i + 1}`), ...W2.map((_, i) => `y${i + 1}`)];

/** A setting as text pairs for a link: x1=1&x2=-0.5&act=gelu&unit=h2&biases=0&residual=1. */
export function encode({ x1, x2, act, unit, biases, residual }) {
  return { x1: String(x1), x2: String(x2), act, unit, ...(biases ? {} : { biases: "0" }), ...(residual ? { residual: "1" } : {}) };
}

/** The setting such pairs ask for: unknown names are dropped, numbers brought into bounds, what is missing left out. */
export function decode(pairs, units) {
  const state = { biases: pairs.biases !== "0", residual: pairs.residual === "1" };
  for (const key of ["x1", "x2"]) {
    const value = parseFloat(pairs[key]);
    if (Number.isFinite(value)) state[key] = clamp(value, -LIMIT, LIMIT);
  }
  if (Object.hasOwn(ACTIVATIONS, pairs.act)) state.act = pairs.act;
  if (units.includes(pairs.unit)) state.unit = pairs.unit;
  return state;
}

// ---- drawing ------------------------------------------------------------------------------------

/** A number with its name and, below, a bar from zero that goes left or right; `far` is where the bar ends. */
function reading(symbol, far, lang, style = "") {
  const number = h("b"), bar = svg("rect", { height: 8 });
  const node = h("span", { class: `ffnw-reading ${style}` }, h("span", {}, symbol), number,
    svg("svg", { viewBox: "-100 0 200 8", preserveAspectRatio: "none", "aria-hidden": "true" }, bar, svg("path", { d: "M0,-1V9" })));
  const show = (value) => {
    const length = clamp(100 * Math.abs(value) / far, 0, 100);
    say(number, short(value, lang));
    bar.setAttribute("x", value < 0 ? -length : 0);
    bar.setAttribute("width", length);
  };
  return { node, show };
}

/** The boxes of inputs, neurons and outputs, and the lines between them. Neurons and outputs can be chosen. */
function network({ state, put, strings, lang, onResize, weights }) {
  const { W1, b1, W2 } = weights, units = unitsOf(weights), wires = svg("svg", { class: "ffnw-wires", "aria-hidden": "true" });
  // The largest z that an x within its limits can give; longer bars stop at the edge.
  const far = Math.max(...W1.map((row, i) => row.reduce((sum, w) => sum + LIMIT * Math.abs(w), Math.abs(b1[i]))));
  const bar = (symbol, style) => reading(symbol, far, lang, style);
  const inputs = ["x1", "x2"].map((key, i) => draggable(bar(name("x", i)), far, (v) => put({ [key]: v })));
  const hidden = W1.map((_, i) => neuron(i, bar(name("z", i), "ffn before"), bar(name("h", i), "ffn"), strings));
  const outputs = W2.map((_, i) => output(bar(name("y", i)), bar(`${name("x", i)} + ${name("y", i)}`), strings));
  const pick = choice({ label: strings.choose, options: [...hidden, ...outputs].map((box, i) => [units[i], box.node]), onInput: (unit) => put({ unit }) });
  const node = h("div", { class: "ffnw-net" }, wires, h("div", { class: "ffnw-inputs" }, ...inputs.map((x) => x.node)), pick.node);
  node.style.setProperty("--half", W1.length);
  pick.node.lastChild.style.gridTemplateColumns = `repeat(${2 * W1.length}, minmax(0, 1fr))`;

  const boxes = [...inputs.map((x) => x.node), ...pick.node.querySelectorAll("label")];
  let lines = [];
  const place = () => {
    const places = boxes.map((box) => ({ x: box.offsetLeft + box.offsetWidth / 2, top: box.offsetTop, bottom: box.offsetTop + box.offsetHeight, box }));
    const xs = places.slice(0, 2), hs = places.slice(2, -2), ys = places.slice(-2);
    lines = [...layer(W1, xs, hs, "h", lang), ...layer(W2, hs, ys, "y", lang)];
    wires.setAttribute("viewBox", `0 0 ${node.clientWidth} ${node.clientHeight}`);
    wires.replaceChildren(skip(xs, ys, node.clientWidth), ...lines.map((l) => l.line), ...lines.map((l) => l.label));
    update();
  };
  const update = () => {
    const now = state(), run = steps(weights, now);
    inputs.forEach((x, i) => x.show(run.x[i]));
    hidden.forEach((box, i) => box.show(run.z[i], run.h[i]));
    outputs.forEach((box, i) => box.show(run.y[i], run.out[i], now.residual));
    pick.set(now.unit);
    wires.classList.toggle("residual", now.residual);
    for (const { to, from, line, label } of lines) {
      const silent = to[0] === "y" && isOff(run.h[from]);
      line.classList.toggle("chosen", to === now.unit);
      line.classList.toggle("silent", silent);
      label.classList.toggle("chosen", to === now.unit);
    }
  };
  onResize(node, place);
  return { node, update };
}

/** One line for each weight of W: solid or dashed by its sign, thick by its size, with the number beside it. */
function layer(W, starts, ends, letter, lang) {
  return W.flatMap((row, i) => row.map((w, from) => {
    const a = starts[from], b = ends[i], part = [0.65, 0.3, 0.7][(from + starts.length) % 3]; // numbers of neighbours keep clear
    const kind = w < 0 ? "minus" : "plus", width = w && 1 + 2 * Math.min(2, Math.abs(w));
    const line = svg("path", { class: kind, d: `M${a.x},${a.bottom}L${b.x},${b.top}`, "stroke-width": width, "stroke-dasharray": w < 0 && "7 4" });
    const at = { x: a.x + part * (b.x - a.x), y: a.bottom + part * (b.top - a.bottom) + 4 };
    const label = svg("text", { class: kind, ...at, "text-anchor": "middle" }, num(w, { lang }));
    return { to: `${letter}${i + 1}`, from, line, label };
  }));
}

/** The ways by which x passes the FFN and is added to its output. */
function skip([left, right], [first, second], width) {
  const way = (a, b, edge) => `M${a.x},${(a.top + a.bottom) / 2}H${edge}V${(b.top + b.bottom) / 2}H${b.x}`;
  return svg("path", { class: "skip", d: way(left, first, 3) + way(right, second, width - 3) });
}

function draggable({ node, show }, far, onInput) {
  const box = h("div", { class: "ffnw-box ffnw-drag" }, node);
  const follow = (event) => {
    const { left, width } = node.getBoundingClientRect();
    onInput(clamp(Math.round(10 * far * (2 * (event.clientX - left) / width - 1)) / 10, -LIMIT, LIMIT));
  };
  box.addEventListener("pointerdown", (event) => {
    box.setPointerCapture(event.pointerId);
    follow(event);
  });
  box.addEventListener("pointermove", (event) => {
    if (event.buttons) follow(event);
  });
  return { node: box, show };
}

function neuron(i, before, after, strings) {
  const off = h("em"), title = h("span", { class: "ffnw-title" }, h("span", {}, fill(strings.neuron, { n: i + 1 })), " ", off);
  const node = h("span", { class: "ffnw-box" }, title, before.node, after.node);
  const show = (z, value) => {
    before.show(z);
    after.show(value);
    node.classList.toggle("off", isOff(value));
    say(off, isOff(value) ? strings.off : "");
  };
  return { node, show };
}

function output(own, total) {
  const node = h("span", { class: "ffnw-box" }, own.node, total.node);
  const show = (y, out, residual) => {
    own.show(y);
    total.show(out);
    total.node.style.visibility = residual ? "" : "hidden"; // its room stays, so nothing jumps
  };
  return { node, show };
}

// ---- the widget ---------------------------------------------------------------------------------

function create(tools) {
  const { model, state, put, strings, lang, signal } = tools, errors = strings.controls.errors;
  const weights = Object.fromEntries(["W1", "b1", "W2", "b2"].map((key) => [key, model.get(key)]));
  const net = network({ ...tools, weights }), live = spoken(signal);
  const sum = h("p", { class: "ffnw-sum" }), count = h("p", { class: "ffnw-note" });
  const sliders = ["x1", "x2"].map((key, i) => slider({
    label: name("x", i), min: -LIMIT, max: LIMIT, step: 0.1, format: (v) => short(v, lang), errors, onInput: (v) => put({ [key]: v }),
  }));
  const act = choice({ label: strings.activation, options: texts(strings.acts, Object.keys(ACTIVATIONS)), onInput: (a) => put({ act: a }) });
  const biases = check({ label: strings.biases, onInput: (on) => put({ biases: on }) });
  const residual = check({ label: strings.residual, onInput: (on) => put({ residual: on }) });
  const update = () => {
    const now = state(), run = steps(weights, now), off = run.h.filter(isOff).length;
    net.update();
    sliders.forEach((control, i) => control.set(run.x[i]));
    act.set(now.act);
    biases.set(now.biases);
    residual.set(now.residual);
    say(sum, account(weights, now, tools));
    const counted = fill(strings.count, { n: off, all: run.h.length });
    say(count, `${counted} ${strings.hint}`);
    live.say(`${sum.textContent}. ${counted} ${fill(strings.result, { one: short(run.out[0], lang), two: short(run.out[1], lang) })}`);
  };
  const nodes = [net.node, sum, count,
    h("div", { class: "ffnw-pair" }, ...sliders.map((control) => control.node)),
    h("div", { class: "ffnw-row" }, act.node, h("div", { class: "ffnw-choice" }, h("div", {}, biases.node, residual.node))), live.node];
  return { nodes, update, encode: () => encode(state()), decode: (pairs) => decode(pairs, unitsOf(weights)), presets: presets(strings) };
}

const presets = ({ presets: text }) => [
  [text.sign, { act: "none", biases: false, x1: -1, x2: -2, unit: "y1" }],
  [text.small, { act: "gelu", unit: "h2" }],
  [text.residual, { residual: true, unit: "y1" }],
];

export default { render: (context) => mount(context, TRAITS, create) };
