// The three places where Python may run. Each gives a session of thebe's, or fails with an error that says why.

import { wheels } from "./costs.mjs";
import { Files } from "./fetching.mjs";
import { MOST } from "./printed.mjs";
import { script, serveWidgets } from "./thebe.mjs";

const LITE = "@jupyterlite/pyodide-kernel-extension:kernel";

// matplotlib looks through its fonts each time it starts in the browser, and says so in the first figure's output.
const QUIET = "import logging; logging.getLogger('matplotlib.font_manager').setLevel(logging.ERROR)";

// In the browser each write is a message to the page: a cell that prints without end would leave it no time for its Stop button.
const printing = (rest) => `
import sys
def _limit(stream, most=${MOST}, each=20):
    write, room = stream.write, most
    def limited(text):
        nonlocal room
        if room > 0:
            room -= len(text) + each
            write(text if room > 0 else text[:most] + ${JSON.stringify(`\n${rest}\n`)})
        return len(text)
    def renew(*_):
        nonlocal room
        room = most
    stream.write = limited
    get_ipython().events.register("pre_run_cell", renew)
for _stream in (sys.stdout, sys.stderr): _limit(_stream)
del _limit, _stream`;

/** An error whose name picks the explanation for the reader. */
export class Failure extends Error {
  constructor(name, detail) {
    super(detail);
    this.name = name;
  }
}

const settings = {
  pyodide: () => ({ kernelOptions: { kernelName: "python", path: "/page.ipynb" } }),
  binder: ({ files }) => ({
    kernelOptions: { kernelName: "python3", path: "/page.ipynb" }, savedSessionOptions: { enabled: true, storagePrefix: "ffn-binder-" },
    binderOptions: { ...files.binder, repoProvider: "github" },
  }),
  server: (_site, address) => ({ kernelOptions: { kernelName: "python3", path: "/page.ipynb" }, serverSettings: address }),
};

export const configuration = (api, site, way, address) =>
  api.makeConfiguration({ mathjaxUrl: "", mathjaxConfig: "", ...settings[way](site, address) });

/** Start Python in the way chosen; `tell(stage, part)` hears how far it is. Returns a session. */
export async function connect(api, site, { way, config, rendermime, tell }) {
  const server = api.makeServer(config);
  config.events.on("status", (_name, { message }) => { if (way === "binder" && /^Binder is: /.test(message)) tell("binder", null, message.slice(11)); });
  tell(way, null);
  const session = await (way === "pyodide" ? startPyodide(site, server, rendermime, tell) : startServer(way, server, rendermime));
  serveWidgets(session);
  return session;
}

async function startServer(way, server, rendermime) {
  const begin = way === "binder" ? server.connectToServerViaBinder() : server.connectToJupyterServer();
  try {
    await Promise.all([server.ready, begin]);
    return await server.startNewSession(rendermime);
  } catch (error) {
    throw new Failure(way, error?.message ?? String(error));
  }
}

let fetched; // what Python is made of: kept, for the next Python of this page

/** Everything comes from this site, and Python is told to look nowhere else. */
async function startPyodide(site, server, rendermime, tell) {
  const { home, files, page } = site, at = (path) => new URL(path, home).href;
  const needed = wheels(site), total = files.fetched + needed.reduce((sum, { size }) => sum + size, 0);
  fetched ??= new Files([...files.core, ...needed.map(({ file }) => `pyodide/${file}`)].map(at));
  fetched.tell = (sofar) => tell("pyodide", Math.min(1, sofar / total));
  const all = fetched.start();
  const failed = all.then(() => new Promise(() => {}), (error) => { throw new Failure("pyodide", error.message); });
  const starting = (async () => {
    await script(at("thebe-lite/thebe-lite.min.js"));
    await withoutServiceWorker(() => server.connectToJupyterLiteServer({ litePluginSettings: { [LITE]: {
      pyodideUrl: at("worker.js"), pipliteUrls: [at("thebe-lite/pypi/all.json")], pipliteWheelUrl: at(`pyodide/${files.packages.piplite.file}`), disablePyPIFallback: true,
      loadPyodideOptions: {
        indexURL: at("pyodide/"), lockFileURL: at("pyodide/pyodide-lock.json"), packages: [...files.start, ...page.packages],
        page: fetched.name, fetched: fetched.addresses, // for worker.js
      },
    } } }));
    const session = await server.startNewSession(rendermime);
    all.then(() => tell("python", null), () => {});
    await session.kernel.info; // answered once Python is up
    await session.kernel.requestExecute({ code: QUIET + printing(site.words.cell.rest), silent: true, store_history: false }).done;
    return session;
  })();
  const broken = unhandled();
  try {
    return await Promise.race([starting, failed, broken.promise]);
  } catch (error) {
    server.sessionManager?.shutdownAll().catch(() => {}); // a Python that waits in vain for its files
    throw error instanceof Failure ? error : new Failure("pyodide", error?.message ?? String(error));
  } finally {
    broken.stop();
  }
}

/** JupyterLite would have a service worker keep files for other tabs, at an address that is not ours to use. */
async function withoutServiceWorker(start) {
  Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });
  try { return await start(); } finally { delete navigator.serviceWorker; }
}

/** A worker that cannot start Python says so only to the window. */
function unhandled() {
  let hear;
  const promise = new Promise((_resolve, reject) => {
    hear = (event) => {
      event.preventDefault();
      if (event.reason) reject(event.reason); // JupyterLite also rejects, for no reason, what nobody waits for
    };
  });
  addEventListener("unhandledrejection", hear);
  return { promise, stop: () => removeEventListener("unhandledrejection", hear) };
}
