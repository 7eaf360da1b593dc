"""A browser on a slow machine, made slow on purpose: ``pytest --slow-browser 6 tests/browser``.

A test that looks before the page has answered passes on an idle machine and fails by chance
on a busy one. Here the page's processor is ``rate`` times slower, and its timers, frames,
observers and requests are late, so that such a test fails each time.
"""

from __future__ import annotations

from playwright.sync_api import Browser

# Milliseconds by which a page is late: enough to be seen, far from every time limit.
LATE = """(() => {
  const { setTimeout, requestAnimationFrame, fetch } = window;
  window.setTimeout = (f, wait, ...rest) => setTimeout(f, (wait || 0) + 120, ...rest);
  window.requestAnimationFrame = (f) => setTimeout(() => requestAnimationFrame(f), 60);
  window.fetch = (...request) => new Promise((go) => setTimeout(go, 200)).then(() => fetch(...request));
  for (const name of ["IntersectionObserver", "MutationObserver", "ResizeObserver"]) {
    window[name] = class extends window[name] {
      constructor(f, options) { super((seen, self) => setTimeout(() => f(seen, self), 120), options); }
    };
  }
})()"""


def slow(browser: Browser, rate: float) -> None:
    """Have every page that ``browser`` opens from now on run ``rate`` times slower, and late."""
    new_context = browser.new_context

    def context(**options):
        made = new_context(**options)
        made.add_init_script(LATE)
        new_page = made.new_page

        def page():
            one = new_page()
            made.new_cdp_session(one).send("Emulation.setCPUThrottlingRate", {"rate": rate})
            return one

        made.new_page = page
        return made

    browser.new_context = context
    browser.new_page = lambda **options: context(**options).new_page()
