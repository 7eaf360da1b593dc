// Loads thebe, as its authors publish it, and sets right what it leaves to other hosts or to luck.

const loaded = new Map(); // address → promise

/** Run a classic script, once; one that failed may be tried again. */
export function script(address) {
  if (!loaded.has(address)) {
    const element = Object.assign(document.createElement("script"), { src: address });
    const done = new Promise((resolve, reject) => {
      element.onload = resolve;
      element.onerror = () => { loaded.delete(address); element.remove(); reject(new Error(address)); };
    });
    loaded.set(address, done);
    document.head.append(element);
  }
  return loaded.get(address);
}

/** In a layer of its own, thebe's style cannot overrule the page's. */
function addStyle(address) {
  if (!document.getElementById("live-thebe")) document.head.append(Object.assign(document.createElement("style"), { id: "live-thebe", textContent: `@import url("${address}") layer(thebe);` }));
}

const modules = {}; // what thebe and anywidget give to a module loader, which this page has no other use for

/** Load thebe and the front end of anywidget; returns thebe's interface. */
export async function loadThebe(home) {
  if (modules.anywidget) return globalThis.thebeCore.api;
  addStyle(new URL("thebe/thebe.css", home).href);
  globalThis.define = (name, value) => { modules[name] = value; };
  await script(new URL("thebe/index.js", home).href);
  globalThis.define = (names, factory) => { modules.anywidget = factory(...names.map((name) => modules[name])); };
  await script(new URL("anywidget/index.js", home).href);
  delete globalThis.define;
  return globalThis.thebeCore.api;
}

/** Widgets come from this site: thebe's own manager would load a module loader, and anywidget, from other hosts. */
export function serveWidgets({ manager }) {
  const inherited = Object.getPrototypeOf(Object.getPrototypeOf(manager)).loadClass.bind(manager);
  manager.loadClass = async (name, module, version) => (module === "anywidget" ? modules.anywidget[name] : inherited(name, module, version));
  // Labels show their text only where something claims to typeset formulas.
  manager.rendermime.latexTypesetter = { typeset() {} };
}

/** An editor of thebe's in `place`; returns its CodeMirror. */
export function editor(place, { notebook, id, source, output, label, keys }) {
  const placeholder = Object.assign(document.createElement("pre"), { textContent: source });
  place.append(placeholder);
  globalThis.thebe.renderAllCells({
    codeMirrorConfig: { theme: "ffn", lineNumbers: false, viewportMargin: Infinity, inputStyle: "contenteditable", indentUnit: 4, screenReaderLabel: label },
  }, notebook, [{ id, placeholders: { source: placeholder, output } }]);
  place.querySelector(".thebe-controls")?.remove();
  const { CodeMirror } = place.querySelector(".CodeMirror");
  CodeMirror.setOption("extraKeys", { ...CodeMirror.getOption("extraKeys"), ...keys });
  return CodeMirror;
}
