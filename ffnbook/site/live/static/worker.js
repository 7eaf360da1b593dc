// Runs in Python's worker, where JupyterLite expects Pyodide: hands Python the files that the page has fetched.
// The page fetches because only it can tell the reader how far it is; and each file crosses the network once.

self.loadPyodide = ({ page, fetched, ...options }) => {
  const channel = new BroadcastChannel(page), waiting = new Map(); // address → what to call with its Response
  channel.onmessage = ({ data: { address, file, status } }) => {
    waiting.get(address)?.(file ? new Response(file, { headers: { "Content-Type": file.type } }) : new Response(null, { status }));
    waiting.delete(address);
  };
  const network = self.fetch, ours = new Set(fetched);
  self.fetch = (request, settings) => {
    const address = String(request.url ?? request);
    if (!ours.has(address)) return network(request, settings);
    return new Promise((resolve) => {
      waiting.set(address, resolve);
      channel.postMessage({ want: address });
    });
  };
  importScripts(`${options.indexURL}pyodide.js`); // which puts its own loadPyodide in place of this one
  return self.loadPyodide(options);
};
