// What each way of running costs the reader, in bytes and seconds, before they choose.

const MBIT_50 = 50e6 / 8; // bytes a second
const PYTHON_STARTS_IN = 8; // seconds on a two-core machine once everything is here: tools/bench_live.py

/** The packages `names` stand for, with all that these need. */
export function closure(packages, names) {
  const found = new Set(), queue = [...names];
  for (const name of queue) {
    const key = name.replaceAll("_", "-");
    if (found.has(key) || !packages[key]) continue;
    found.add(key);
    queue.push(...packages[key].needs);
  }
  return [...found];
}

/** The wheels that running this page in the browser needs. */
export const wheels = ({ files, page }) => closure(files.packages, [...files.start, ...page.packages]).map((name) => files.packages[name]);

const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);

/** The ways among `allowed`, each with its texts, the bytes it loads and how long that takes. */
export function choices(site, allowed) {
  const number = new Intl.NumberFormat(site.lang, { maximumFractionDigits: 0 });
  const small = site.files.interface;
  const browser = small + site.files.imported + site.files.fetched + sum(wheels(site).map(({ size }) => size));
  const bytes = { pyodide: browser, binder: small, server: small };
  return allowed.map((way) => {
    const size = number.format(Math.max(1, bytes[way] / 1e6)), seconds = number.format(bytes[way] / MBIT_50 + PYTHON_STARTS_IN);
    const fill = (text) => text.replace("{size}", size).replace("{seconds}", seconds);
    return { way, title: site.words.ways[way].title, cost: fill(site.words.ways[way].cost), about: fill(site.words.ways[way].about) };
  });
}
