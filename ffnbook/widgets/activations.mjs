// The activation functions and their slopes, the same as ffnbook/activations.py (a test compares them).
// Like controls.mjs, Python puts this file in front of the widgets that import from it.

/** e^(z²) · erfc(z) for z ≥ 0.5, by Laplace's continued fraction, evaluated from its tail. */
export function erfcx(z) {
  let tail = z;
  for (let k = Math.ceil(8 + 240 / (z * z)); k > 0; k--) tail = z + k / 2 / tail;
  return 1 / (tail * Math.sqrt(Math.PI));
}

/** e^(−x²/2) with x² split in two, so that its rounding does not grow with x. */
function bell(x) {
  const coarse = Math.round(x * 16) / 16;
  return Math.exp(-coarse * coarse / 2) * Math.exp(-(x - coarse) * (x + coarse) / 2);
}

export const normalPdf = (x) => bell(x) / Math.sqrt(2 * Math.PI);

/** Φ(x), to about 15 digits in both tails. */
export function normalCdf(x) {
  if (x > 1) return 1 - normalCdf(-x);
  if (x < -1) return x < -40 ? 0 : bell(x) * erfcx(-x / Math.SQRT2) / 2;
  let term = x, sum = x; // Φ(x) = ½ + φ(x) · (x + x³/3 + x⁵/15 + …)
  for (let n = 3; Math.abs(term) > 1e-18; n += 2) sum += term *= x * x / n;
  return 0.5 + normalPdf(x) * sum;
}

export const sigmoid = (x) => (x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x)));
const sigmoidSlope = (x) => sigmoid(x) * sigmoid(-x);

const ROOT = Math.sqrt(2 / Math.PI), CUBIC = 0.044715;
const inner = (x) => ROOT * (x + CUBIC * x * x * x);

/** Each function: its value and its slope at x (Swish also takes β). ReLU's slope at 0 is 0, as in torch. */
export const FUNCTIONS = {
  relu: { value: (x) => Math.max(0, x), slope: (x) => (x > 0 ? 1 : 0) },
  gelu: { value: (x) => x * normalCdf(x), slope: (x) => normalCdf(x) + x * normalPdf(x) },
  gelu_tanh: {
    value: (x) => x * sigmoid(2 * inner(x)), // ½x(1 + tanh u), without its cancellation for x < 0
    slope: (x) => sigmoid(2 * inner(x)) + x * 2 * ROOT * (1 + 3 * CUBIC * x * x) * sigmoidSlope(2 * inner(x)),
  },
  silu: { value: (x) => x * sigmoid(x), slope: (x) => sigmoid(x) + x * sigmoidSlope(x) },
  swish: {
    value: (x, beta) => x * sigmoid(beta * x),
    slope: (x, beta) => sigmoid(beta * x) + beta * x * sigmoidSlope(beta * x),
  },
};
