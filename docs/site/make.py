#!/usr/bin/env python3
"""One static site of the documents, the reports of papers and result sets, and a gallery of their figures.

    make.py PROGRAM [OUT...] [--to FOLDER]

OUT is a result set, the folder of a paper, or a folder of such. mkdocs makes the site, and every link within it is followed: exit
code 1 where one leads nowhere, 2 for bad input. `./daelab site` calls it.
"""

import argparse
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path

import motion_svg

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def copy_documents(root: Path, target: Path) -> None:
    """Documents at the places they have in the repository, so that links between them stay right, with what they link to."""
    documents = sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")])
    for document in documents:
        place = target / document.relative_to(root)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(document, place)
        for link in LINK.findall(document.read_text(encoding="utf-8")):
            file = (document.parent / urllib.parse.unquote(link.split("#")[0])).resolve()
            if "://" in link or link.startswith("#") or file.suffix == ".md" or not file.is_relative_to(root) or not file.is_file():
                continue
            copy = target / file.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)


def text(value: str) -> str:
    """As Markdown that is read as text alone: names in results come from anywhere."""
    return re.sub(r"[\\`*_{}\[\]<>&]", lambda sign: f"&#{ord(sign.group())};", " ".join(value.split()))


def figure_file(folder: Path, identifier: str) -> Path | None:
    found = [path for path in sorted(folder.glob("*.svg")) if path.stem == re.sub(r"[^A-Za-z0-9._-]", "-", identifier)]
    return found[0] if found else None


def card(title: str, figure: dict, file: Path, name: str, stem: str) -> str:
    """A thumbnail that leads to the figure on its page, with its drawing and config."""
    folder = f"results/{name}/{stem}"
    caption = html.escape(" ".join(figure["caption"].split()))
    page = f"results/{name}/index.html#figure-{stem}-{urllib.parse.quote(figure['id'])}"
    drawing = urllib.parse.quote(f"{folder}/{file.name}")
    return (f'<li><a href="{page}"><img src="{drawing}" alt="{caption}" loading="lazy"></a>{f"<b>{html.escape(title)}</b>" if title else ""}<p>{caption}</p>'
            f'<p><a href="{page}">explore</a> · <a href="{drawing}">figure</a> · <a href="{folder}/config.json">config</a></p></li>')


def cards_of(name: str, sets: list[Path], target: Path) -> list[str]:
    """Every figure of these result sets, with its config, which goes beside the report."""
    cards: list[str] = []
    for folder in sets:
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        stem = re.sub(r"[^A-Za-z0-9._-]", "-", result["name"])
        drawings = target / "results" / name / stem
        shown = [(figure, figure_file(drawings, figure["id"])) for figure in result.get("figures", [])]
        shown = [(figure, file) for figure, file in shown if file]
        if not shown:
            continue
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        config = json.dumps(manifest.get("config", {}), indent=2, ensure_ascii=False)
        (drawings / "config.json").write_text(config + "\n", encoding="utf-8")
        cards += [card(result["title"] if len(sets) == 1 else "", figure, file, name, stem) for figure, file in shown]
    return cards


def grid(head: str, cards: list[str]) -> list[str]:
    return [f"## {head}", "", '<ul class="cards">', *cards, "</ul>", ""] if cards else []


def refuse(message: str) -> None:
    print(f"daelab site: {message}", file=sys.stderr)
    sys.exit(2)


def results_in(folder: Path) -> list[tuple[Path, list[Path]]]:
    """Papers and result sets with the result sets that each has."""
    if (folder / "result.json").is_file():
        return [(folder, [folder])]
    if not folder.is_dir():
        refuse(f"no folder {folder}")
    inside = sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
    sets = [path for path in inside if (path / "result.json").is_file()]
    if (folder / "verdicts.json").is_file():
        return [(folder, sets)]
    found = [result for path in inside for result in (results_in(path) if path in sets or (path / "verdicts.json").is_file() else [])]
    if not found:
        refuse(f"{folder} holds no results; ./daelab reproduce li2019 makes some in out/li2019")
    return found


def results_of(program: str, given: Path, work: Path) -> Path:
    """Of a pack, a folder or .zip file, which is reproduced; anything else has results itself."""
    is_pack = given.suffix == ".zip" or ((given / "pack.json").is_file() and not (given / "verdicts.json").is_file())
    if not is_pack:
        return given
    folder = work / "packs" / given.stem
    shutil.rmtree(folder, ignore_errors=True)
    command = [program, "reproduce", str(given.resolve()), "--out", str(folder), "--quiet"]
    if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode not in (0, 1):
        refuse(f"{given} is no pack that can be reproduced: see above")
    # A folder of the pack's own name holds the results itself.
    return next(path for path in (folder, *sorted(folder.iterdir())) if (path / "verdicts.json").is_file())


def write_reports(program: str, outs: list[Path], target: Path) -> list[tuple[str, list[Path]]]:
    """In a folder of their own names below results/."""
    written: list[tuple[str, list[Path]]] = []
    for folder, sets in [result for out in outs for result in results_in(out)]:
        names = [name for name, _ in written]
        name, again = folder.resolve().name, 2
        while name in names:
            name, again = f"{folder.resolve().name}-{again}", again + 1
        report = [program, "report", str(folder), "--to", str(target / "results" / name), "--format", "svg,csv,html"]
        if subprocess.run(report, stdout=subprocess.DEVNULL, check=False).returncode != 0:
            refuse(f"no report of {folder}: see above")
        written.append((name, sets))
    return written


def make_landing(program: str, work: Path, target: Path) -> Path:
    """What the first page shows: a mechanism in motion, and a result set to explore, whose folder is returned."""
    assets, results = target / "assets", target / "results"
    for folder in (assets, results):
        folder.mkdir(parents=True, exist_ok=True)
    motion = results / "seven-body.html"
    methods = ["--method", "bdf", "--method", "dormand-prince", "--method", "radau-iia:s=3"]
    run([program, "animate", "seven-body", *methods, "--formulation", "index-1", "--rtol", "1e-4", "--out", str(motion)])
    motion_svg.write_motion(motion, assets / "seven-body.svg", seconds=8)
    motion_svg.write_motion(motion, assets / "seven-body-still.svg", seconds=8, still=True)
    run([program, "run", "docs/examples/six_methods.json", "--out", os.path.relpath(work / "landing", ROOT), "--quiet"])
    home = target / "README.md"
    home.write_text("---\ntemplate: home.html\nhide:\n  - navigation\n---\n" + home.read_text(encoding="utf-8"), encoding="utf-8")
    for file in (ROOT / "docs/site/theme/assets").iterdir():
        shutil.copyfile(file, assets / file.name)
    return work / "landing/six-methods"


def run(command: list[str]) -> None:
    if subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode != 0:
        refuse(f"{' '.join(command)}: see above")


def compose(program: str, outs: list[Path], work: Path) -> None:
    outs = [results_of(program, out, work) for out in outs]
    for out in outs:
        results_in(out)  # refuses what holds none, before anything is made
    target = work / "source"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    copy_documents(ROOT, target)
    landing = make_landing(program, work, target)
    gallery = ["# Gallery", "", "Every figure of the results: explore it on its page, take the drawing, or the config that makes it.", ""]
    single: list[str] = []
    papers: list[str] = []
    overview = ["# Results", "", "Papers and result sets, each as a page to explore.", ""]
    for name, sets in write_reports(program, [landing, *outs], target):
        page = (target / "results" / name / "index.html").read_text(encoding="utf-8")
        title = re.search(r"<title>(.*?)</title>", page, re.S)
        shown = text(html.unescape(title.group(1))) if title else name
        overview.append(f"- [{shown}](results/{name}/index.html) ({len(page) / 1e6:.1f} MB)")
        cards = cards_of(name, sets, target)
        if len(sets) == 1:
            single += cards
        else:
            papers += grid(shown, cards)
    gallery += grid("Result sets", single) + papers
    (target / "results.md").write_text("\n".join(overview) + "\n", encoding="utf-8")
    (target / "gallery.md").write_text("\n".join(gallery) + "\n", encoding="utf-8")
    shutil.copyfile(ROOT / "docs/site/mkdocs.yml", work / "mkdocs.yml")
    shutil.copytree(ROOT / "docs/site/theme", work / "theme", ignore=shutil.ignore_patterns("assets"), dirs_exist_ok=True)


class Page(html.parser.HTMLParser):
    """What a page links to, and the places in it that can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name in ("id", "name") and value:
                self.places.add(value)


def read_page(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def check(site: Path) -> int:
    pages = {path.resolve(): read_page(path) for path in site.rglob("*.html")}
    dead: list[str] = []
    count = 0
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("/"):
                continue
            count += 1
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if file.is_dir():
                file = file / "index.html"
            place = urllib.parse.unquote(parts.fragment).split("?")[0]
            scripted = place.startswith(("run-", "runs-"))  # made when they are asked for
            if not file.is_file():
                dead.append(f"{path.relative_to(site.resolve())}: no such file: {link}")
            elif place and not scripted and file in pages and place not in pages[file].places:
                dead.append(f"{path.relative_to(site.resolve())}: no such place: {link}")
    for line in dead:
        print(line, file=sys.stderr)
    print(f"{len(pages)} pages, {count} links, {len(dead)} of them dead")
    return 1 if dead else 0


def main() -> int:
    arguments = argparse.ArgumentParser(prog="daelab site", description="one static site of documents, results and figures")
    arguments.add_argument("program", help=argparse.SUPPRESS)
    arguments.add_argument("out", nargs="*", type=Path, default=[Path("out")], help="result sets, papers, folders of some, or packs [out]")
    arguments.add_argument("--to", type=Path, default=Path("site"), help="folder of the site [site]")
    arguments.add_argument("--work", type=Path, default=ROOT / "build/site", help=argparse.SUPPRESS)
    given = arguments.parse_intermixed_args()
    # mkdocs empties the folder first.
    if given.to.exists() and (not given.to.is_dir() or any(given.to.iterdir())) and not (given.to / "sitemap.xml").is_file():
        refuse(f"--to: {given.to} holds something else than a site; name a new folder")
    work = given.work.resolve()
    compose(str(Path(given.program).resolve()), given.out, work)
    made = subprocess.run(["mkdocs", "build", "--quiet", "-f", str(work / "mkdocs.yml"), "-d", str(given.to.resolve())], check=False)
    if made.returncode != 0:
        return 1
    print(given.to / "index.html")
    return check(given.to)


if __name__ == "__main__":
    sys.exit(main())
