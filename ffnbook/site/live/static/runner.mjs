// Starts Python, runs cells one after another, stops and restarts, and tells the reader how things stand.

import { configuration, connect } from "./kernels.mjs";
import { loadThebe } from "./thebe.mjs";

const PATIENCE = 10_000; // milliseconds an old connection is given to come back

const MARK = "_ffnbook_page"; // a name in Python that a new one does not know

export class Runner {
  constructor(site, cells, panel) {
    Object.assign(this, { site, cells, panel, state: "choosing", queue: Promise.resolve(), round: 0 });
    panel.addEventListener("start", () => this.start());
    panel.addEventListener("retry", () => this.retry());
    panel.addEventListener("other", () => this.choose());
    panel.addEventListener("runall", () => this.runAll());
    panel.addEventListener("stop", () => this.stop());
    panel.addEventListener("restart", () => this.restart("restarted"));
    panel.addEventListener("reset", () => this.cells.undoAll());
    cells.addEventListener("run", ({ detail }) => this.run(detail));
    cells.addEventListener("edit", () => this.controls());
  }

  say(key, values = {}, options = {}) {
    const text = Object.entries(values).reduce((filled, [name, value]) => filled.replace(`{${name}}`, value), this.site.words.status[key]);
    this.panel.say(text, options);
  }

  /** The controls that make sense as things stand. */
  controls() {
    const reset = this.cells.edited ? ["reset"] : [];
    const offered = { starting: ["runall", "other"], ready: ["runall", "restart"], busy: ["stop"], lost: ["retry", "other"], failed: ["retry", "other"] };
    this.panel.offer(...(offered[this.state] ?? []), ...(this.state === "choosing" ? [] : reset));
  }

  enter(state) {
    this.state = state;
    document.documentElement.dataset.live = state;
    this.controls();
  }

  /** Whatever is waiting or running belongs to the past; returns the number of the round that begins. */
  newRound() {
    this.queue = Promise.resolve();
    this.cells.idle();
    return ++this.round;
  }

  choose() {
    this.newRound();
    this.enter("choosing");
    this.panel.choose();
  }

  /** Start (or start again) in the way chosen. What was typed stays. */
  async start(said = "ready") {
    const { site, panel, cells } = this, way = panel.way, attempt = this.newRound();
    this.way = way;
    this.ready = new Promise((resolve) => { this.begin = resolve; });
    panel.begin();
    this.enter("starting");
    this.say(said === "ready" ? `starting_${way}` : "restarting");
    panel.bar.querySelector("button:not([hidden])")?.focus();
    try {
      const api = await loadThebe(site.home).catch((error) => { throw Object.assign(error, { name: "site" }); });
      const config = configuration(api, site, way, panel.address);
      cells.mount(api, config);
      const session = await connect(api, site, { way, config, rendermime: cells.rendermime, tell: (...stage) => attempt === this.round && this.tell(...stage) });
      if (attempt !== this.round) return;
      this.adopt(session, said);
    } catch (error) {
      if (attempt === this.round) this.fail(error);
    }
  }

  /** Try the old connection first, if there was one: its Python may still know everything. */
  async retry() {
    if (this.state !== "lost" || this.way === "pyodide") return this.start();
    this.say("starting_server");
    const patience = new Promise((_resolve, reject) => { setTimeout(reject, PATIENCE); });
    await Promise.race([this.kernel.reconnect(), patience]).catch(() => this.start());
  }

  tell(stage, part, detail = "") {
    if (this.state === "starting") this.say(`starting_${stage}`, {}, { part, detail });
  }

  adopt(session, said) {
    Object.assign(this, { session, kernel: session.kernel });
    this.cells.forget();
    this.kernel.connectionStatusChanged.connect((_kernel, status) => this.connection(session, status));
    this.kernel.statusChanged.connect((_kernel, status) => { if (status === "autorestarting") this.recover(session); });
    this.settle(said);
    this.begin();
  }

  /** Python waits for the reader; leave a mark in it by which to know it again. */
  settle(said) {
    this.kernel.requestExecute({ code: `${MARK} = True`, silent: true, store_history: false });
    this.enter("ready");
    this.say(said);
  }

  fail(error) {
    const name = this.site.words.failed[error.name] ? error.name : "other";
    this.enter("failed");
    this.panel.say(this.site.words.failed[name], { detail: lastLine(error.message), fault: true });
    this.panel.buttons.retry.focus();
  }

  connection(session, status) {
    if (session !== this.session || this.restarting || this.state === "failed") return;
    if (status === "connected") {
      if (this.state === "lost") this.recover(session);
    } else if (this.state !== "lost") {
      this.newRound();
      this.enter("lost");
      this.panel.say(this.site.words.status.lost, { fault: true });
    }
  }

  /** After a lost connection or a crash: is it still the same Python? */
  async recover(session) {
    const future = this.kernel.requestExecute({ code: "", silent: true, store_history: false, user_expressions: { same: `'${MARK}' in globals()` } });
    const reply = await future.done.catch(() => null);
    if (!reply || session !== this.session || this.restarting) return;
    const same = reply.content.user_expressions?.same?.data?.["text/plain"] === "True";
    if (!same) this.cells.forget();
    else if (this.state !== "lost") return;
    this.settle(same ? "back" : "died");
  }

  /** Run cell `number`, and first those above it that have not run yet. */
  run(number) {
    return this.enqueue((cell) => cell.number === number || (cell.number < number && !cell.done), number);
  }

  runAll() {
    return this.enqueue(() => true, Infinity);
  }

  /** After what is running, run the cells that `chosen` picks up to `last`, until one fails. */
  enqueue(chosen, last) {
    const { round } = this;
    if (this.state === "starting") this.say("waiting");
    const turn = this.queue.then(() => this.ready).then(async () => {
      if (round !== this.round) return;
      const cells = this.cells.all.filter((cell) => cell.number <= last && chosen(cell));
      await this.runCells(cells, round);
    });
    this.queue = turn.catch(() => {});
    return turn;
  }

  async runCells(cells, round) {
    this.enter("busy");
    let fault = null;
    for (const [i, cell] of cells.entries()) {
      this.say("running", { number: i + 1, count: cells.length }, { part: cells.length > 1 ? i / cells.length : null });
      try {
        await this.prepare(cell);
        fault = await this.cells.execute(cell, this.kernel);
      } catch {
        return; // stopped, restarted or lost: whoever did it says so
      }
      if (round !== this.round) return;
      if (fault) { this.faulty(cell, fault); break; }
    }
    if (this.state !== "busy") return;
    this.enter("ready");
    if (!fault) this.say("done");
  }

  /** In the browser only what the page itself imports is loaded; a reader's own code may import more of ours. */
  async prepare(cell) {
    const { files, page } = this.site, missing = files.ours.filter((name) => !page.packages.includes(name));
    if (this.way !== "pyodide" || !cell.edited || !missing.length || !/\bffnbook\b/.test(cell.text)) return;
    page.packages.push(...missing);
    await this.kernel.requestExecute({ code: `import pyodide_js\nawait pyodide_js.loadPackage(${JSON.stringify(missing)})`, silent: true }).done;
  }

  faulty(cell, { ename, evalue }) {
    const where = cell.order ? this.site.words.status.error : this.site.words.status.error_unshown;
    this.panel.say(where.replace("{number}", cell.order), { detail: `${ename.replace(/^<class '(.*)'>$/, "$1")}: ${evalue.slice(0, 300)}`, fault: true });
  }

  /** Stop what is running: by interrupting it, or, in the browser, by a new Python. */
  async stop() {
    if (this.way === "pyodide") return this.restart("stopped_restarted");
    this.round++;
    await this.kernel.interrupt().catch(() => {});
    this.enter("ready");
    this.say("stopped");
  }

  /** JupyterLite cannot restart a Python that has a session: there, the new one has a new session. */
  async restart(said) {
    if (this.way === "pyodide") {
      this.session.shutdown().catch(() => {});
      this.session = null;
      return this.start(said);
    }
    const round = this.newRound();
    this.restarting = true;
    this.enter("starting");
    this.say("restarting");
    this.ready = this.session.restart().then(() => this.kernel.requestKernelInfo());
    try {
      await this.ready;
    } catch (error) {
      return this.fail(error);
    } finally {
      this.restarting = false;
    }
    this.cells.forget();
    if (round === this.round) this.settle(said);
  }
}

/** Of a traceback, the line that says what happened. */
const lastLine = (text) => text.trim().split("\n").findLast((line) => /^\S*(Error|Exception)\b/.test(line)) ?? text.trim().slice(0, 300);
