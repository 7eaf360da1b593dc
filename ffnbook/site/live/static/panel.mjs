// What the reader sees of it: first the choice, then a bar with the status and the controls.

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

export class Panel extends EventTarget {
  /** Dispatches "start", "runall", "stop", "restart", "retry", "reset" and "other". */
  constructor({ words, home, lang }, choices) {
    super();
    Object.assign(this, { words, home, lang });
    this.status = make("p", { className: "live-status", role: "status" });
    this.detail = make("p", { className: "live-detail", hidden: true });
    this.meter = make("progress", { className: "live-meter", max: 1, hidden: true, ariaLabel: words.progress });
    this.bar = this.makeBar();
    this.form = this.makeForm(choices);
    this.element = make("section", { className: "live-panel", ariaLabel: words.title }, this.form);
  }

  makeForm(choices) {
    const form = make("form", { className: "live-choice" }, make("p", { className: "live-heading", textContent: this.words.choose }));
    choices.forEach((choice, i) => form.append(this.makeChoice(choice, i === 0)));
    this.server = this.makeServer();
    form.append(this.server, make("p", { className: "live-note", textContent: this.words.nothing_yet }));
    form.append(make("button", { className: "live-start", textContent: this.words.start }));
    form.addEventListener("change", () => { this.server.hidden = this.way !== "server"; });
    form.addEventListener("submit", (event) => { event.preventDefault(); this.dispatchEvent(new Event("start")); });
    this.server.hidden = form.way.value !== "server";
    return form;
  }

  makeChoice({ way, title, cost, about }, checked) {
    const input = make("input", { type: "radio", name: "way", value: way, checked, id: `live-way-${way}` });
    input.setAttribute("aria-describedby", `live-about-${way}`);
    const label = make("label", { htmlFor: input.id }, make("strong", { textContent: title }), " ", make("span", { className: "live-cost", textContent: cost }));
    return make("div", { className: "live-way" }, input, label, make("p", { id: `live-about-${way}`, textContent: about }));
  }

  makeServer() {
    const { words } = this;
    const field = (name, text, properties) => make("label", { textContent: text }, make("input", { name, autocomplete: "off", spellcheck: false, ...properties }));
    const command = `jupyter server --ServerApp.allow_origin='${location.origin}' --IdentityProvider.token='${words.server.token_example}'`;
    return make("div", { className: "live-server" },
      make("p", { textContent: words.server.how }), make("pre", { textContent: command, tabIndex: 0 }),
      field("address", words.server.address, { type: "url", value: "http://localhost:8888/" }),
      field("token", words.server.token, { type: "password" }));
  }

  makeBar() {
    const button = (name) => {
      const made = make("button", { type: "button", className: `live-${name}`, textContent: this.words.buttons[name], hidden: true });
      made.addEventListener("click", () => this.dispatchEvent(new Event(name)));
      return made;
    };
    this.buttons = Object.fromEntries(["runall", "stop", "restart", "retry", "reset", "other"].map((name) => [name, button(name)]));
    const controls = make("div", { className: "live-controls" }, ...Object.values(this.buttons));
    return make("div", { className: "live-bar", role: "group", ariaLabel: this.words.title, hidden: true }, this.status, this.meter, this.detail, controls);
  }

  get way() { return this.form.way.value; }
  get address() { return { baseUrl: this.form.address.value.replace(/\/*$/, "/"), token: this.form.token.value, appendToken: true }; }

  /** Put the focus on the panel: on the choice, or on the bar once a way is chosen. */
  show(button) {
    button.setAttribute("aria-expanded", "true");
    const target = this.element.hidden ? this.bar.querySelector("button:not([hidden])") : this.form.querySelector("input:checked");
    target?.focus();
  }

  /** A way is chosen: the choice gives way to the bar, at the foot of the window. */
  begin() {
    this.element.hidden = true;
    this.bar.hidden = false;
  }

  /** Back to the choice of a way. */
  choose() {
    this.element.hidden = false;
    this.bar.hidden = true;
    this.form.querySelector("input:checked").focus();
  }

  /** Say where things stand (aloud too); `detail` is what went wrong in the machine's own words. */
  say(text, { detail = "", part = null, fault = false } = {}) {
    if (this.status.textContent !== text) this.status.textContent = text;
    this.detail.textContent = detail;
    this.detail.hidden = !detail;
    this.bar.classList.toggle("live-fault", fault);
    this.meter.hidden = part === null;
    if (part !== null) this.meter.value = part;
  }

  /** Show these controls and no others; the focus goes on where it was, or to the first of them. */
  offer(...names) {
    const had = this.bar.contains(document.activeElement);
    for (const [name, button] of Object.entries(this.buttons)) button.hidden = !names.includes(name);
    if (had && document.activeElement?.hidden !== false) this.buttons[names[0]]?.focus();
  }
}
