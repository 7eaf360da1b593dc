// What the reader typed, kept in this browser until they undo it. Storage may be refused: then it lasts as long as the page.

const fingerprint = (text) => {
  let hash = 5381;
  for (let i = 0; i < text.length; i++) hash = (hash * 33 + text.charCodeAt(i)) | 0;
  return (hash >>> 0).toString(36);
};

export class Kept {
  constructor(name) {
    this.key = `ffn-live:${name}`;
    try { this.texts = JSON.parse(localStorage.getItem(this.key)) ?? {}; } catch { this.texts = {}; }
  }
  /** The reader's version of a cell, or the book's. A cell that the book has since changed is another cell. */
  get(cell, original) {
    return this.texts[`${cell}:${fingerprint(original)}`] ?? original;
  }
  set(cell, original, text) {
    const name = `${cell}:${fingerprint(original)}`;
    if (text === original) delete this.texts[name];
    else this.texts[name] = text;
    try {
      if (Object.keys(this.texts).length) localStorage.setItem(this.key, JSON.stringify(this.texts));
      else localStorage.removeItem(this.key);
    } catch { /* not kept */ }
  }
}
