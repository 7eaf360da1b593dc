// Fetches what Python will ask for, each file once, so that the reader sees how far it is and learns at once what fails.

export class Files {
  /** `addresses` in order of need; `tell` hears the bytes that have come so far. */
  constructor(addresses, tell) {
    Object.assign(this, { addresses, tell, sofar: 0, name: `ffn-${crypto.randomUUID()}` });
    this.channel = new BroadcastChannel(this.name);
    this.channel.onmessage = ({ data }) => this.serve(data.want);
  }

  /** Fetch everything (what is here already is not fetched again). */
  start() {
    this.files ??= new Map();
    for (const address of this.addresses) if (!this.files.has(address)) this.files.set(address, this.fetch(address));
    return Promise.all(this.files.values());
  }

  async fetch(address) {
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(`${answer.status} ${address}`);
      const parts = [];
      for (const reader = answer.body.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) return new Blob(parts, { type: answer.headers.get("Content-Type") });
        parts.push(value);
        this.tell((this.sofar += value.length));
      }
    } catch (error) {
      this.files.delete(address);
      throw error;
    }
  }

  /** Python's worker asks for a file: send it as soon as it is here. */
  async serve(address) {
    try {
      this.channel.postMessage({ address, file: await this.files.get(address) });
    } catch {
      this.channel.postMessage({ address, status: 503 });
    }
  }
}
