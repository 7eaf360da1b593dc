"""``ffnbook build``: check the sources, build both languages side by side, join and check the site."""

from __future__ import annotations

import errno
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from ffnbook.messages import LANGUAGES, Unreadable, t
from ffnbook.site import address, check, extras, live
from ffnbook.site.alone import alone_in
from ffnbook.site.inputs import digest, read_inputs
from ffnbook.site.live import assets, vendor
from ffnbook.site.side_by_side import OneLanguage
from ffnbook.site.stamp import Stamp

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "site"
# Not this program's fault: there is no room, or no right to write.
CANNOT_WRITE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.ENOTDIR, errno.EEXIST, errno.ENOTEMPTY}

ROOM = 2_000_000  # bytes; where less is free, what was said above says little but that


def build(say: Callable[[str], None], *, site: Path = SITE, root: Path = ROOT) -> int:
    """Write the whole site to ``site``; 0, or 1 where anything at all is wrong (all of it is said)."""
    out = _shown(site.parent)
    try:
        with alone_in(site.parent, lambda: say(t("building.waiting", path=out))):
            return _build(say, site, root)
    except Unreadable as error:
        say(str(error))
    except shutil.Error as error:  # of a tree that was copied: each file that was not, and why
        say(t("building.cannot_write", path=out, error=error.args[0][0][-1]))
    except OSError as error:
        if error.errno not in CANNOT_WRITE:
            raise
        say(t("building.cannot_write", path=out, error=error))
    return 1


def _build(say: Callable[[str], None], site: Path, root: Path) -> int:
    began = time.monotonic()
    if wrong := address.unusable():
        say(t("building.address", address=wrong))
        return 1
    inputs = read_inputs(root)
    state = digest(inputs)
    if Stamp(site).says(state) and Stamp(site).is_whole():
        say(t("building.unchanged", path=_shown(site)))
        return 0
    Stamp(site).path.unlink(missing_ok=True)
    builds = [OneLanguage(lang, site.parent, digest(inputs, lang)) for lang in LANGUAGES]
    try:
        from ffnbook.site.authoring import sources  # here: it loads while the languages load too

        if faults := sources.check_all(root):
            return _report(say, [str(f) for f in faults], "building.checks_failed")
        if live.wanted() and not vendor.complete(say):
            return 1
        if changed := [build.lang for build in builds if build.process]:
            say(t("building.start", languages=", ".join(changed)))
        for build in builds:
            build.go()
        if not all([build.done(say) for build in builds]):
            say(t("building.failed", path=_shown(site)))
            if (free := shutil.disk_usage(site.parent).free) < ROOM:
                say(t("building.no_room", path=_shown(site.parent), free=free // 1000))
            return 1
    finally:
        for build in builds:
            build.stop()
    fresh = join(site.parent)
    if faults := check.check_site(fresh, site.with_suffix(".checked.json")):
        return _report(say, faults, "building.site_failed")
    publish(fresh, site)
    Stamp(site).write(state)
    say(t("building.done", path=_shown(site), seconds=f"{time.monotonic() - began:.0f}"))
    return 0


def publish(fresh: Path, site: Path) -> None:
    """Put the new site where the old one is, which is whole until then."""
    old = site.with_suffix(".old")
    shutil.rmtree(old, ignore_errors=True)
    if site.exists():
        site.replace(old)
    fresh.replace(site)
    shutil.rmtree(old, ignore_errors=True)


def join(out: Path) -> Path:
    """Both languages and what belongs to neither, in a new folder beside the site."""
    fresh = out / "site.new"
    shutil.rmtree(fresh, ignore_errors=True)
    for lang in LANGUAGES:
        shutil.copytree(out / lang / "html", fresh / lang, ignore=shutil.ignore_patterns(*extras.NOT_PUBLISHED))
    extras.write(fresh)
    if live.wanted():
        assets.write(fresh)
    return fresh


def _report(say: Callable[[str], None], faults: list[str], headline: str) -> int:
    for fault in faults:
        say(fault)
    say(t(headline, count=len(faults)))
    return 1


def _shown(path: Path) -> str:
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else str(path)
