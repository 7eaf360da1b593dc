// A choice is a fold: whoever opens it has chosen it.

/** Call ``kept`` at once when a reader opens ``choice``. The browser's own "toggle" event may come after the page was left. */
export function chosen(choice, kept) {
  choice.querySelector("summary").addEventListener("click", (event) => {
    if (event.target.closest("a")) return;
    event.preventDefault();
    choice.open = !choice.open;
    if (choice.open) kept();
  });
}
