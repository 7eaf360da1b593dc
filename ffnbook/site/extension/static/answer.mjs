// Reading the number someone typed, and judging it: the same tolerances as check() in a notebook.

const GROUPS = { ".": /^\d{1,3}(\.\d{3})+$/, ",": /^\d{1,3}(,\d{3})+$/ };

/**
 * The number in `text`, NaN where there is none. Point or comma may be the decimal mark, and either,
 * or spaces, may part thousands. One mark alone before three digits is read as thousands where a
 * whole number is due (`whole`), as a decimal mark elsewhere.
 */
export function readNumber(text, whole = false) {
  const tidy = text.trim().replace(/[\s'’_]/g, "").replace(/^[−–]/, "-").replace(/([eE])−/, "$1-");
  const found = /^([+-]?)([\d.,]*\d[.,]?)(e[+-]?\d+)?$/i.exec(tidy);
  if (!found) return NaN;
  const digits = plainDigits(found[2], whole && !found[3]);
  return digits === null ? NaN : Number(found[1] + digits + (found[3] ?? ""));
}

function plainDigits(text, whole) {
  const marks = text.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (!last) return text;
  const others = marks.filter((mark) => mark !== last);
  if (others.length) return mixed(text, last, others[0]);
  const grouped = GROUPS[last].test(text) && !text.startsWith("0");
  if (marks.length > 1) return grouped ? text.replaceAll(last, "") : null;
  return whole && grouped ? text.replace(last, "") : text.replace(last, ".");
}

/** Both marks: the last is the decimal mark, the other parts thousands. */
function mixed(text, decimal, group) {
  const at = text.lastIndexOf(decimal), before = text.slice(0, at);
  return GROUPS[group].test(before) ? `${before.replaceAll(group, "")}.${text.slice(at + 1)}` : null;
}

/** What to say to `text`: {kind: "right" | "mistake" | "wrong" | "unreadable" | "fraction", reply}. */
export function judge(spec, text) {
  const exact = !spec.atol && !spec.rtol;
  const got = readNumber(text, exact);
  if (!Number.isFinite(got)) return { kind: "unreadable", reply: "" };
  const near = (due) => exact ? got === due : Math.abs(got - due) <= spec.atol + spec.rtol * Math.abs(due);
  if (near(spec.value)) return { kind: "right", reply: spec.right };
  const mistake = spec.mistakes.find(([value]) => near(value));
  if (mistake) return { kind: "mistake", reply: mistake[1] };
  return { kind: exact && !Number.isInteger(got) ? "fraction" : "wrong", reply: spec.hint };
}
