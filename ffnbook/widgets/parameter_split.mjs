// The parameter split: where a transformer keeps its parameters, drawn to scale and counted.
// First the arithmetic, the same as ffnbook/parameters.py (a test compares them), then the drawing.
// All counts are whole numbers below 2^53 within the bounds of the controls, so they are exact.

import { button, check, clamp, fill, h, mount, num, rows, ruler, say, slider, spoken, spread, svg, texts, uid } from "./controls.mjs";

// ---- arithmetic; `c` has the fields of ffnbook.presets.ModelConfig ------------------------------

/** The matrices of one layer's attention: [name, rows, columns]. */
export function attentionMatrices(c) {
  const q = c.n_heads * c.d_head, kv = c.n_kv_heads * c.d_head;
  const one = [["Q", q, c.d_model], ["K", kv, c.d_model], ["V", kv, c.d_model], ["O", c.d_model, q]];
  return Array.from({ length: c.attentions_per_block }, () => one).flat();
}

/** The matrices of one feed-forward network. */
export function ffnMatrices(c) {
  const inward = c.gated ? ["gate", "up"] : ["up"];
  return [...inward.map((name) => [name, c.d_ff, c.d_model]), ["down", c.d_model, c.d_ff]];
}

const weights = (matrices) => matrices.reduce((sum, [, rows, columns]) => sum + rows * columns, 0);

export function attentionParams(c) {
  const q = c.n_heads * c.d_head, kv = c.n_kv_heads * c.d_head;
  return weights(attentionMatrices(c)) + c.attentions_per_block * (c.qkv_bias * (q + 2 * kv) + c.out_bias * c.d_model);
}

/** One layer's FFN: all its experts, or those one token uses. */
export function ffnParams(c, active = false) {
  const biases = c.ffn_bias * ((c.gated ? 2 : 1) * c.d_ff + c.d_model);
  return (active ? c.experts_per_token : c.n_experts) * (weights(ffnMatrices(c)) + biases);
}

const routerParams = (c) => (c.n_experts > 1 ? c.d_model * c.n_experts : 0);
const normSize = (c) => (c.norm_bias ? 2 : 1) * c.d_model;

/** Parameters of one block by part; "rest" is the norms and, with experts, the router. */
export const blockCount = (c, active = false) => ({
  attention: attentionParams(c), ffn: ffnParams(c, active), rest: c.norms_per_block * normSize(c) + routerParams(c),
});

/** Parameters of the whole model by part. */
export function modelCount(c, active = false) {
  const block = blockCount(c, active);
  return {
    embeddings: (c.vocab * (c.tied_head ? 1 : 2) + c.n_positions) * c.d_model,
    attention: c.n_layers * block.attention,
    ffn: c.n_layers * block.ffn,
    rest: c.n_layers * block.rest + c.final_norm * normSize(c),
  };
}

export const total = (parts) => Object.values(parts).reduce((sum, n) => sum + n, 0);

/** FFN parameters for each attention parameter; the FFN's share of the block's matrices, and of everything. */
export function ratios(c) {
  const ffn = c.n_experts * weights(ffnMatrices(c)), attention = weights(attentionMatrices(c)), all = modelCount(c);
  return { perAttention: ffnParams(c) / attentionParams(c), ofMatrices: ffn / (ffn + attention), ofAll: all.ffn / total(all) };
}

/** Forward FLOPs per token and layer, of the FFN and of attention's projections. */
export const ffnFlops = (c) => 2 * (c.experts_per_token * weights(ffnMatrices(c)) + routerParams(c));
export const projectionFlops = (c) => 2 * weights(attentionMatrices(c));

/** First length at which attention costs as much as the FFN: for the last token, or for the mean of a causal sequence. */
export function crossoverLength(c, causalMean = false) {
  const perKey = 4 * c.attentions_per_block * c.n_heads * c.d_head;
  return Math.max(1, Math.ceil((ffnFlops(c) - projectionFlops(c)) * (causalMean ? 2 : 1) / perKey));
}

// ---- the state, and links to it -----------------------------------------------------------------

const BOUNDS = {
  d_model: [1, 32768], d_ff: [1, 262144], n_heads: [1, 256], n_kv_heads: [1, 256], d_head: [1, 1024],
  n_layers: [1, 256], vocab: [1, 1000000], n_positions: [0, 1000000], norms_per_block: [0, 8],
  attentions_per_block: [1, 2], n_experts: [1, 256], experts_per_token: [1, 256],
};
const FLAGS = ["gated", "ffn_bias", "qkv_bias", "out_bias", "norm_bias", "final_norm", "tied_head"];
const BIASES = ["ffn_bias", "qkv_bias", "out_bias", "norm_bias"];
const FIELDS = [...Object.keys(BOUNDS), ...FLAGS];
const TRAITS = ["preset", ...FIELDS];

/** Which fields of `c` differ from the preset it started from. */
export const changed = (c, preset) => FIELDS.filter((field) => c[field] !== preset[field]);

/** A setting as text pairs for a link: the preset, and what was changed: preset=gpt2-small&d_ff=2048&gated=1. */
export function encode(c, presets) {
  return { preset: c.preset, ...Object.fromEntries(changed(c, presets[c.preset]).map((field) => [field, String(Number(c[field]))])) };
}

/** The setting such pairs ask for: all fields, numbers brought into bounds; kv-heads that do not fit become heads. */
export function decode(pairs, presets, fallback) {
  const preset = Object.hasOwn(presets, pairs.preset) ? pairs.preset : fallback;
  const state = { preset, ...pick(presets[preset]) };
  for (const [field, [low, high]] of Object.entries(BOUNDS)) {
    const value = parseFloat(pairs[field]);
    if (Number.isFinite(value)) state[field] = clamp(Math.round(value), low, high);
  }
  for (const field of FLAGS) if (field in pairs) state[field] = pairs[field] === "1";
  if (state.n_heads % state.n_kv_heads) state.n_kv_heads = state.n_heads;
  state.experts_per_token = Math.min(state.experts_per_token, state.n_experts);
  return state;
}

const pick = (c) => Object.fromEntries(FIELDS.map((field) => [field, c[field]]));

/** All numbers of key-value heads that share `heads` evenly. */
export const divisors = (heads) => Array.from({ length: heads }, (_, i) => i + 1).filter((n) => heads % n === 0);

/** What changes with d_model: d_ff keeps the expansion factor; heads that fill d_model go on filling it. */
export function withModelWidth(c, d_model, factor, filling) {
  return { d_model, d_ff: hidden(d_model, factor), ...(filling ? { d_head: filled(d_model, c.n_heads) } : {}) };
}

/** What changes with the heads: likewise, and key-value heads follow (all, or the largest number that divides). */
export function withHeads(c, n_heads, filling) {
  const n_kv_heads = c.n_kv_heads === c.n_heads ? n_heads : divisors(n_heads).filter((n) => n <= c.n_kv_heads).at(-1);
  return { n_heads, n_kv_heads, ...(filling ? { d_head: filled(c.d_model, n_heads) } : {}) };
}

export const hidden = (d_model, factor) => clamp(Math.round(d_model * factor), ...BOUNDS.d_ff);
const filled = (d_model, n_heads) => clamp(Math.round(d_model / n_heads), ...BOUNDS.d_head);

// ---- drawing ------------------------------------------------------------------------------------

const ABOVE = 46, BELOW = 20; // room for the names

/**
 * A bar to scale. `segments` is [{part, name, portion, share, pieces: [{text, share}]}], whose shares sum to 1.
 * Names stand above, at the start of their segment or as near as fits; that of the last one, the small rest, below.
 * Pieces are named inside if they fit. The height never changes, so nothing jumps while a slider moves.
 */
function bar(segments, width, tall, measure) {
  let x = 0;
  const placed = segments.map((segment) => {
    const at = x;
    x += segment.share * width;
    return { ...segment, at, width: segment.share * width };
  });
  const named = placed.slice(0, -1), rooms = named.map(({ name, portion }) => Math.max(measure(name, 13, 600), measure(portion, 15)) + 12);
  const lefts = spread(named.map(({ at }) => at), rooms, 0, width + 12);
  return { height: ABOVE + tall + BELOW, nodes: [
    ...placed.flatMap((s) => [svg("rect", { class: `fill ${s.part}`, x: s.at, y: ABOVE, width: s.width, height: tall }), ...pieces(s, ABOVE, tall, measure)]),
    ...named.flatMap((s, i) => nameAbove(s, lefts[i])), nameBelow(placed.at(-1), ABOVE + tall)] };
}

function nameAbove({ at, width, part, name, portion }, left) {
  const from = at + Math.min(width / 2, 4);
  const leader = Math.abs(left - at) < 1 ? [] : [svg("path", { class: `leader ${part}`, d: `M${left + 4},${ABOVE - 9}L${from},${ABOVE}` })];
  return [...leader, svg("text", { class: `name ${part}`, x: left, y: 13 }, name), svg("text", { class: `portion ${part}`, x: left, y: 32 }, portion)];
}

function nameBelow({ at, width, part, name, portion }, bottom) {
  const middle = at + Math.min(width / 2, width - 0.5);
  return svg("g", {}, svg("path", { class: `leader ${part}`, d: `M${middle},${bottom}v${BELOW - 5}` }),
    svg("text", { class: `name ${part}`, x: middle - 6, y: bottom + BELOW - 4, "text-anchor": "end" }, `${name} ${portion}`));
}

/** The matrices inside a segment: thin lines between them, and their names where there is room. */
function pieces(segment, top, tall, measure) {
  let x = segment.at;
  return segment.pieces.flatMap(({ text, share }, i) => {
    const left = x, width = share * segment.width;
    x += width;
    const lines = text.filter((line) => measure(line, 13, 600) + 4 < width);
    const start = top + tall / 2 + 5 - (lines.length - 1) * 9;
    return [...(i ? [svg("path", { class: "cut", d: `M${left},${top}v${tall}` })] : []),
      ...lines.map((line, n) => svg("text", { class: n ? "inside small" : "inside", x: left + width / 2, y: start + n * 18, "text-anchor": "middle" }, line))];
  });
}

/** One block as its matrices side by side: all are d_model tall, so widths are to scale with parameters. */
function blockSegments(c, words) {
  const parts = blockCount(c), sum = total(parts), matrices = { attention: attentionMatrices(c), ffn: ffnMatrices(c), rest: [] };
  if (c.n_experts > 1) matrices.ffn = Array.from({ length: c.n_experts }, (_, i) => [String(i + 1), 1, 1]);
  return ["attention", "ffn", "rest"].map((part) => segment(part, parts[part], sum, words, matrices[part].map(([name, rows, columns]) => ({
    text: c.n_experts > 1 && part === "ffn" ? [name] : [words.strings.matrices[name], `${num(rows, words)} × ${num(columns, words)}`],
    share: rows * columns / weights(matrices[part]),
  }))));
}

function segment(part, count, sum, { strings, lang }, inside = []) {
  return { part, name: strings.parts[part], portion: share(count / sum, lang), share: count / sum, pieces: inside };
}

function modelSegments(c, words) {
  const parts = modelCount(c), sum = total(parts);
  return ["embeddings", "attention", "ffn", "rest"].map((part) => segment(part, parts[part], sum, words));
}

/** A share with one decimal, or with its first digit where that would be zero. */
const share = (value, lang) => num(value, { percent: true, ...(value >= 1e-3 ? { decimals: 1 } : { sig: 1 }), lang });

function picture({ state, strings, lang, onResize }) {
  const words = { strings, lang }, make = (text) => {
    const head = h("span"), drawing = svg("svg", { "aria-hidden": "true" });
    return { head, drawing, node: h("div", { class: "ffnw-bar" }, h("p", {}, h("strong", {}, text), " ", head), drawing) };
  };
  const block = make(strings.block), model = make(strings.model), note = h("p", { class: "ffnw-note" });
  const node = h("div", { class: "ffnw-bars" }, block.node, model.node);
  const measure = ruler(node);
  const paint = ({ head, drawing }, parts, segments, tall) => {
    const width = node.clientWidth || 640, { height, nodes } = bar(segments, width, tall, measure);
    say(head, fill(strings.parameters, { n: num(total(parts), { lang }) }));
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawing.replaceChildren(...nodes);
  };
  const draw = () => {
    const c = state();
    const tall = node.clientWidth < 480 ? 36 : 56;
    paint(block, blockCount(c), blockSegments(c, words), tall);
    paint(model, modelCount(c), modelSegments(c, words), tall);
    say(note, c.n_experts > 1 ? fill(strings.experts_note, { n: c.n_experts, k: c.experts_per_token })
      : fill(strings.scale_note, { d: num(c.d_model, { lang }) }));
  };
  onResize(node, draw);
  return { node, note, draw };
}

// ---- counting -----------------------------------------------------------------------------------

function headline({ state, strings, lang }) {
  const figures = texts(strings.ratios, ["ofAll", "ofMatrices", "perAttention"]).map(([key, text]) => [key, h("dd"), text]);
  const node = h("dl", { class: "ffnw-ratios" }, ...figures.map(([, value, text]) => h("div", {}, value, h("dt", {}, text))));
  const update = () => {
    const r = ratios(state());
    const text = { perAttention: num(r.perAttention, { decimals: 2, lang }), ofMatrices: share(r.ofMatrices, lang), ofAll: share(r.ofAll, lang) };
    for (const [key, value] of figures) say(value, text[key]);
  };
  const sentence = () => figures.map(([, value, text]) => `${text}: ${value.textContent}`).join("; ");
  return { node, update, sentence };
}

function counts({ state, strings, lang }) {
  const head = ["part", "per_block", "whole", "share"].map((key) => h("th", { scope: "col", class: key === "per_block" ? "ffnw-wide" : "" }, strings.table[key]));
  const note = h("p", { class: "ffnw-note" }), write = (n) => (n === undefined ? "–" : num(n, { lang }));
  const { body, show } = rows((part) => h("tr", { class: part }, h("th", { scope: "row" }, h("span", { class: `ffnw-key ${part}` }), h("span")),
    h("td", { class: "ffnw-wide" }, ""), h("td", {}, ""), h("td", {}, "")));
  const node = h("div", { class: "ffnw-readout" }, h("table", {}, h("thead", {}, h("tr", {}, ...head)), body), note);
  const update = () => {
    const c = state(), block = blockCount(c), all = modelCount(c), sum = total(all);
    const row = (key, inBlock, inModel) => ({ key, cells: [strings.parts[key], write(inBlock), write(inModel), share(inModel / sum, lang)] });
    show([...["ffn", "attention", "embeddings", "rest"].map((part) => row(part, block[part], all[part])), row("total", total(block), sum)]);
    say(note, remarks(c, strings, write));
  };
  return { node, update };
}

/** What the table does not show: experts in use, FLOPs, and the length at which attention catches up. */
function remarks(c, strings, write) {
  const active = c.n_experts > 1 ? [fill(strings.active, { n: write(total(modelCount(c, true))), k: c.experts_per_token, of: c.n_experts })] : [];
  return [...active, fill(strings.flops, { ffn: write(ffnFlops(c)), projections: write(projectionFlops(c)) }),
    fill(strings.crossover, { last: write(crossoverLength(c)), mean: write(crossoverLength(c, true)) })].join(" ");
}

// ---- controls -----------------------------------------------------------------------------------

const STOPS = {
  d_model: [16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 640, 768, 1024, 1280, 1600, 2048, 2560, 3072, 3584, 4096, 4608, 5120, 6144, 7168, 8192, 10240, 12288, 16384, 18432],
  n_heads: [1, 2, 4, 6, 8, 12, 16, 20, 24, 25, 28, 32, 40, 48, 56, 64, 80, 96, 128],
  d_head: [8, 16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 256],
  vocab: [256, 512, 1000, 2000, 4000, 8000, 16000, 32000, 37000, 50257, 64000, 100000, 128256, 152064, 200000, 256000],
};

function controls(tools) {
  const { state, put, strings, lang } = tools, errors = strings.controls.errors, text = strings.sizes;
  const whole = (v) => num(v, { lang });
  const size = (field, onInput, extra = {}) => slider({
    label: text[field], stops: STOPS[field], min: BOUNDS[field][0], max: BOUNDS[field][1], step: 1, integer: true, format: whole, errors, onInput, ...extra,
  });
  let factor = 4, filling = true; // what the sizes mean, kept so that rounding does not drift while d_model moves
  const set = (field) => (v) => put({ [field]: v });
  const sliders = {
    d_model: size("d_model", (v) => put(withModelWidth(state(), v, factor, filling))),
    factor: slider({
      label: text.factor, min: 1e-3, max: 64, from: 0.5, to: 16, step: 0.125, errors, onInput: (v) => put({ d_ff: hidden(state().d_model, factor = v) }),
      format: (v) => num(Math.round(v * 1e4) / 1e4, { lang }),
    }),
    d_ff: size("d_ff", set("d_ff"), { bare: true }),
    n_heads: size("n_heads", (v) => put(withHeads(state(), v, filling))),
    n_kv_heads: size("n_kv_heads", set("n_kv_heads"), {
      stops: divisors(state().n_heads),
      check: (v) => (state().n_heads % v ? fill(strings.kv_error, { all: divisors(state().n_heads).join(" · ") }) : null),
    }),
    d_head: size("d_head", set("d_head")),
    n_layers: size("n_layers", set("n_layers"), { to: 128 }),
    vocab: size("vocab", set("vocab")),
  };
  const gated = check({ label: text.gated, onInput: set("gated") });
  const biases = check({ label: text.biases, onInput: (on) => put(Object.fromEntries(BIASES.map((b) => [b, on]))) });
  const tied = check({ label: text.tied_head, onInput: set("tied_head") });
  const note = h("p", { class: "ffnw-note" });
  let heads = state().n_heads;
  const update = () => {
    const c = state();
    if (hidden(c.d_model, factor) !== c.d_ff) factor = c.d_ff / c.d_model;
    if (!filling || filled(c.d_model, c.n_heads) !== c.d_head) filling = c.n_heads * c.d_head === c.d_model;
    if (c.n_heads !== heads) sliders.n_kv_heads.over(divisors(heads = c.n_heads));
    for (const [field, control] of Object.entries(sliders)) control.set(field === "factor" ? factor : c[field]);
    const on = BIASES.filter((b) => c[b]).length;
    biases.set(on === 0 ? false : on === BIASES.length ? true : null);
    gated.set(c.gated);
    tied.set(c.tied_head);
    const width = c.n_heads * c.d_head;
    say(note, width === c.d_model ? "" : fill(strings.heads_note, { width: whole(width), d: whole(c.d_model) }));
  };
  const group = (key, ...nodes) => h("fieldset", { class: key }, h("legend", {}, strings.groups[key]), ...nodes);
  const ticks = (...checks) => h("div", { class: "ffnw-choice" }, h("div", {}, ...checks.map((c) => c.node)));
  const { d_model, factor: ratio, d_ff, n_heads, n_kv_heads, d_head, n_layers, vocab } = sliders;
  const node = h("div", { class: "ffnw-groups" },
    group("ffn", ratio.node, d_ff.node, ticks(gated)),
    group("attention", n_heads.node, n_kv_heads.node, d_head.node, note),
    group("model", d_model.node, n_layers.node, vocab.node, ticks(tied, biases)));
  return { node, update };
}

/** Choose a model; says when its sizes have been changed, and offers them back. */
function chooser({ state, put, strings, presets, model }) {
  const id = uid(), load = (preset) => put({ preset, ...pick(presets[preset]) });
  const select = h("select", { id, change: () => load(select.value) },
    ...model.get("order").map((key) => h("option", { value: key }, presets[key].name)));
  const note = h("span", { role: "status" }), back = button(strings.back, () => load(state().preset));
  const node = h("div", { class: "ffnw-preset" }, h("label", { for: id }, strings.preset), select, note, back);
  const update = () => {
    const c = state(), { name } = presets[c.preset], edited = changed(c, presets[c.preset]).length > 0;
    select.value = c.preset;
    say(note, edited ? fill(strings.modified, { name }) : strings.unmodified);
    back.style.visibility = edited ? "" : "hidden"; // its room stays, so nothing jumps at the first change
  };
  return { node, update };
}

// ---- the widget ---------------------------------------------------------------------------------

function create(given) {
  const presets = given.model.get("presets"), tools = { ...given, presets };
  const { state, signal } = tools, live = spoken(signal);
  const choose = chooser(tools), top = headline(tools), bars = picture(tools), sizes = controls(tools), table = counts(tools);
  const update = () => {
    bars.draw();
    for (const part of [choose, top, sizes, table]) part.update();
    live.say(top.sentence());
  };
  const first = state().preset;
  return {
    nodes: [choose.node, top.node, h("div", {}, bars.node, bars.note, sizes.node), table.node, live.node], update,
    encode: () => encode(state(), presets), decode: (pairs) => decode(pairs, presets, first),
  };
}

export default { render: (context) => mount(context, TRAITS, create) };
