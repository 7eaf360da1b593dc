"""Whether the two languages still say the same as when both were last agreed."""

from __future__ import annotations

import re
from bisect import bisect_right
from difflib import SequenceMatcher, get_close_matches, unified_diff
from pathlib import Path

from ffnbook.messages import LANGUAGES, t
from ffnbook.site.authoring import agreed
from ffnbook.site.authoring.agreed import STATE, Texts
from ffnbook.site.authoring.faults import Fault, fault
from ffnbook.site.authoring.pairs import Pair, text_of

SECTION = re.compile(r"^\(([\w.-]+)\)=\s*$")
TABLE = re.compile(r"^\[+([\w.-]+)\]+\s*$")
KEY = re.compile(r"^([\w-]+)\s*=")
LONGEST_DIFF = 120


def texts_now(pairs: dict[str, Pair]) -> dict[str, Texts]:
    """The text of both languages, for each pair that has both."""
    return {
        name: {lang: text_of(pair.files[lang]) for lang in LANGUAGES} for name, pair in pairs.items() if not pair.missing()
    }


def check(root: Path, pairs: dict[str, Pair]) -> list[Fault]:
    """A fault for each pair that has changed, come or gone since it was agreed."""
    state = agreed.load(root)
    gone = {name: texts for name, texts in state.entries.items() if name not in pairs}
    found = [fault(STATE, state.conflict, "authoring.agreement.conflict")] if state.conflict else []
    found += [
        _changed(root, pairs[name], state.entries.get(name), now, gone)
        for name, now in texts_now(pairs).items()
        if state.entries.get(name) != now
    ]
    return found + [fault(STATE, 1, "authoring.agreement.gone", name=name) for name in gone]


def _changed(root: Path, pair: Pair, before: Texts | None, now: Texts, gone: dict[str, Texts]) -> Fault:
    paths = {lang: pair.files[lang].relative_to(root).as_posix() for lang in LANGUAGES}
    path, other = (paths[lang] for lang in LANGUAGES)
    if before is None:
        renamed = next((name for name, texts in gone.items() if texts == now), None)
        if renamed:
            return fault(path, 1, "authoring.agreement.renamed", name=pair.name, before=renamed)
        return fault(path, 1, "authoring.agreement.new", name=pair.name, other=other)
    changed = [lang for lang in LANGUAGES if before.get(lang) != now[lang]]
    if len(changed) > 1:
        return fault(path, 1, "authoring.agreement.both", name=pair.name, other=other)
    mine = changed[0]
    theirs = next(lang for lang in LANGUAGES if lang != mine)
    return _one_sided(pair.name, paths[mine], before.get(mine, ""), now[mine], (paths[theirs], now[theirs]))


def _one_sided(name: str, path: str, before: str, after: str, other: tuple[str, str]) -> Fault:
    """The fault of a change in one language alone, with its diff and where to look in the other."""
    old, new = before.splitlines(), after.splitlines()
    marks_old, marks_new, marks_other = (marks(lines, path) for lines in (old, new, other[1].splitlines()))
    changes = [c for c in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if c[0] != "equal"]
    touched = {_name_at(marks_old, i) for _, a, b, _, _ in changes for i in range(a, b)}
    touched |= {_name_at(marks_new, i) for _, _, _, c, d in changes for i in range(c, d) if new[i].strip()}
    where = dict(reversed([(mark, line + 1) for line, mark in marks_other]))
    places = [f"{mark} ({other[0]}:{line})" for mark, line in sorted(where.items(), key=lambda m: m[1]) if mark in touched]
    return fault(
        path, changes[0][3] + 1, "authoring.agreement.one", name=name, other=other[0],
        places=", ".join(places) or other[0], diff=_diff(old, new, path),
    )


def _diff(old: list[str], new: list[str], path: str) -> str:
    lines = list(unified_diff(old, new, t("authoring.agreement.before", path=path), path, n=2, lineterm=""))
    if len(lines) > LONGEST_DIFF:
        lines[LONGEST_DIFF:] = [t("authoring.agreement.more", lines=len(lines) - LONGEST_DIFF)]
    return "\n".join("    " + line for line in lines)


def marks(lines: list[str], path: str) -> list[tuple[int, str]]:
    """(index, name) of what divides a text: the targets of a page, the keys of a message file."""
    if not path.endswith(".toml"):
        return [(i, found[1]) for i, line in enumerate(lines) if (found := SECTION.match(line))]
    found_marks, table = [], ""
    for i, line in enumerate(lines):
        if header := TABLE.match(line):
            table = header[1] + "."
        elif key := KEY.match(line):
            found_marks.append((i, table + key[1]))
    return found_marks


def _name_at(found: list[tuple[int, str]], index: int) -> str | None:
    at = bisect_right(found, index, key=lambda mark: mark[0])
    return found[at - 1][1] if at else None


def recorded(root: Path) -> list[str]:
    """The pairs that the state file knows, whether they still exist or not."""
    return list(agreed.load(root).entries)


def agree(root: Path, pairs: dict[str, Pair], names: list[str]) -> list[str]:
    """Record the pairs named as agreed as they are now (or gone); return those for which that is news."""
    now, entries = texts_now(pairs), agreed.load(root).entries
    done = [name for name in dict.fromkeys(names) if entries.get(name) != now.get(name)]
    for name in done:
        if name in now:
            entries[name] = now[name]
        else:
            del entries[name]
    agreed.save(root, entries)
    return done


def find(asked: str, names: list[str]) -> str:
    """The pair an author means by ``exact-form``, ``book/exact-form.md`` or ``book/es/exact-form.md``."""
    plain = asked.replace("\\", "/").removeprefix("ffnbook/")
    for lang in LANGUAGES:
        plain = plain.replace(f"/{lang}/", "/").replace(f".{lang}.md", ".md")
    exact = [name for name in names if name in (plain, f"book/{plain}")]
    if exact:
        return exact[0]
    short = {name.split("/", 1)[-1].rsplit(".", 1)[0]: name for name in reversed(names)}
    if plain in short:
        return short[plain]
    near = get_close_matches(plain, [*short, *names], 3, 0.5) or sorted(short)
    raise ValueError(t("authoring.agreement.unknown", name=asked, near=", ".join(near)))
