// What a cell prints, in portions: each line drawn as it came would stop the page at some thousands of them.

export const MOST = 100_000; // characters of a run that are shown
const PAUSE = 150; // milliseconds between two portions

/** Have `future` show what is printed a few times a second, and no more than anyone reads; `rest` then says so. */
export function inPortions(future, rest) {
  const show = future.onIOPub;
  let room = MOST, held = null, timer = 0;
  const flush = () => {
    clearTimeout(timer);
    timer = 0;
    const message = held;
    held = null;
    if (message) show(message);
  };
  const hold = (message) => {
    if (room <= 0) return;
    if (held && held.content.name !== message.content.name) flush();
    let { text } = message.content;
    if (text.length > room) text = `${text.slice(0, room)}\n${rest}\n`;
    room -= text.length;
    held = { ...message, content: { ...message.content, text: (held?.content.text ?? "") + text } };
    timer ||= setTimeout(flush, PAUSE);
  };
  future.onIOPub = (message) => {
    if (message.header.msg_type === "stream") return hold(message);
    flush();
    return show(shortened(message, rest));
  };
}

/** A result, or an error, that is text without end is cut too. */
function shortened(message, rest) {
  const { content } = message, cut = (text) => (text?.length > MOST ? `${text.slice(0, MOST)}\n${rest}` : text);
  if (content.data?.["text/plain"]?.length > MOST) return { ...message, content: { ...content, data: { ...content.data, "text/plain": cut(content.data["text/plain"]) } } };
  if (content.traceback) return { ...message, content: { ...content, evalue: cut(content.evalue), traceback: content.traceback.map(cut) } };
  return message;
}
