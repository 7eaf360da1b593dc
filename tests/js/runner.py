"""Call a function of a front-end module from a test: in Node if there is one, else in the browser."""

from __future__ import annotations

import json
import shutil
import subprocess

from chromium import chromium
from js import pages

REVIVE = ('(key, value) => value === "NaN" ? NaN : value === "Infinity" ? Infinity : value === "-Infinity" ? -Infinity : value')


def evaluate(module: str, function: str, payload: object) -> object:
    """What `function`, JavaScript such as `(m, input) => m.f(input)`, returns for the module and `payload`.

    `module` is a path below `ffnbook/`, for example `widgets/controls.mjs`. Infinities and NaN go in as strings.
    """
    node = shutil.which("node")
    return _in_node(node, module, function, payload) if node else _in_browser(module, function, payload)


def _in_node(node: str, module: str, function: str, payload: object) -> object:
    program = f"""
import * as m from {json.dumps((pages.ROOT / "ffnbook" / module).as_uri())};
import {{ readFileSync }} from "node:fs";
const input = JSON.parse(readFileSync(0, "utf8"), {REVIVE});
process.stdout.write(JSON.stringify(({function})(m, input)));"""
    done = subprocess.run([node, "--input-type=module", "-e", program], input=json.dumps(payload), capture_output=True,
                          encoding="utf-8", timeout=120)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def _in_browser(module: str, function: str, payload: object) -> object:
    with chromium() as browser:
        page = browser.new_page()
        pages.serve(page, "<!doctype html><title>Module</title>")
        page.goto(f"{pages.ORIGIN}/page.html")
        program = f"""async ([address, text]) => {{
            const m = await import(address), input = JSON.parse(text, {REVIVE});
            return JSON.stringify(({function})(m, input)); }}"""
        return json.loads(page.evaluate(program, [f"/{module}", json.dumps(payload)]))
