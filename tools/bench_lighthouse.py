"""Lighthouse's mobile marks for every page, served with gzip as a real host would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench_page import served
from chromium import FLAGS, found

HERE = Path(__file__).with_name("lighthouse")
CLI = HERE / "node_modules" / "lighthouse" / "cli" / "index.js"
BUDGETS = {"performance": 98, "accessibility": 100, "best-practices": 100, "seo": 100}


def measure(site: Path, pages: list[str] | None = None) -> Iterator[tuple]:
    """(what, value, budget, kept, remark) for each page; a remark names the audits that cost marks."""
    if fault := install():
        yield "Lighthouse", "not run", "", False, fault
        return
    found_pages = sorted(p.relative_to(site).as_posix() for lang in ("es", "en") for p in (site / lang).glob("*.html"))
    paths = pages or ["index.html#choose", *found_pages]  # without the hash the first page leads on to a language
    with served(site) as home:
        for path in [p for p in paths if not p.endswith("search.html")]:
            report = run(home + path)
            if not keeps(report):  # a busy machine costs marks: the middle one of three then
                report = sorted([report, run(home + path), run(home + path)], key=lambda r: sum(marks_of(r).values()))[1]
            marks, kept = marks_of(report), keeps(report)
            yield f"Lighthouse {path}", "/".join(map(str, marks.values())), "98/100/100/100", kept, "" if kept else lost(report)


def marks_of(report: dict) -> dict[str, int]:
    return {name: round(100 * (report["categories"][name]["score"] or 0)) for name in BUDGETS}


def keeps(report: dict) -> bool:
    return all(mark >= BUDGETS[name] for name, mark in marks_of(report).items())


def install() -> str:
    """Why Lighthouse cannot be had; empty where it is there."""
    if not shutil.which("npm"):
        return "needs Node 20 or newer and npm on the PATH"
    done = None if CLI.is_file() else subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=HERE, capture_output=True, text=True, encoding="utf-8")
    return f"npm ci: {done.stderr[:400].strip()}" if done and done.returncode else ""


def run(url: str) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.json"
        flags = " ".join(["--headless=new", *FLAGS])
        command = ["node", str(CLI), url, "--quiet", "--output=json", f"--output-path={out}", f"--chrome-flags={flags}"]
        environment = {**os.environ, **({"CHROME_PATH": found()} if found() else {})}
        subprocess.run(command, env=environment, check=True, capture_output=True)
        return json.loads(out.read_text(encoding="utf-8"))


def lost(report: dict) -> str:
    """The audits that cost the page marks, with what Lighthouse measured."""
    references = [audit for name in BUDGETS for audit in report["categories"][name]["auditRefs"] if audit["weight"]]
    found_audits = [report["audits"][audit["id"]] for audit in references]
    return "; ".join(f"{a['id']} {a.get('displayValue', '')}".strip() for a in found_audits if a["score"] is not None and a["score"] < 0.98)
