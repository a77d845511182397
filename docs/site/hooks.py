"""What the site adds to the pages of docs/: the README as the front page, a page for each operator, and the sources that
pages link to. A link to nothing is left as it is, and fails the build."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
# what a newcomer reads first; the other pages follow by name
ORDER = ("add-an-op", "complete-op", "yaml", "infermeta", "kernels", "extensions", "deploy")
LANGUAGES = {
    ".md": "markdown",
    ".toml": "toml",
    ".h": "cpp",
    ".cc": "cpp",
    ".cu": "cpp",
    ".cuh": "cpp",
    ".py": "python",
    ".yaml": "yaml",
    ".json": "json",
}
LINK = re.compile(r"(?P<start>\]\()(?P<path>[^)#\s:]*)(?P<anchor>#[^)\s]*)?\)")
HIDDEN = "---\nsearch:\n  exclude: true\n---\n"  # from the search
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_config(config: Any) -> Any:
    docs = sorted(path.stem for path in (ROOT / "docs").glob("*.md") if path.stem != "ops")
    pages = [f"{name}.md" for name in (*(n for n in ORDER if n in docs), *(n for n in docs if n not in ORDER))]
    operators = [{name: f"ops/{name}.md"} for name in operator_pages() if name != "index"]
    config.nav = [{"phi_torch": "index.md"}, *pages, {"Operators": ["ops/index.md", *operators]}]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Replaces the Markdown pages by those of the site."""
    for file in [file for file in files if file.src_uri.endswith(".md")]:
        files.remove(file)
    for path, text in site_pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def site_pages() -> dict[str, str]:
    """Path in the site -> Markdown."""
    written = {"index.md": ("README.md", read("README.md"))}
    for path in (ROOT / "docs").glob("*.md"):
        if path.stem != "ops":
            written[path.name] = (f"docs/{path.name}", path.read_text(encoding="utf-8"))
    written |= {f"ops/{name}.md": ("docs/ops.md", text) for name, text in operator_pages().items()}
    linked: set[str] = set()
    pages = {path: relinked(path, origin, text, linked) for path, (origin, text) in written.items()}
    for path in linked:
        pages |= source_pages(path)
    return pages


def operator_pages() -> dict[str, str]:
    """docs/ops.md in pieces: `index`, and a page for each operator."""
    head, *sections = re.split(r"^## ", read("docs/ops.md"), flags=re.MULTILINE)
    return {"index": head, **{section.split("\n", 1)[0]: f"# {section}" for section in sections}}


def relinked(page: str, origin: str, text: str, linked: set[str]) -> str:
    """The text of the file `origin` with its links as they are in the site; `linked` gets the sources to be shown."""

    def replace(match: re.Match[str]) -> str:
        path, anchor = match["path"], match["anchor"] or ""
        target = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path)) if path else origin
        place = place_of(target, anchor)
        if place is None or (target == origin and target != "docs/ops.md"):
            return match[0]
        if place.startswith("sources/"):
            linked.add(target)
        return f"{match['start']}{posixpath.relpath(place, posixpath.dirname(page) or '.')})"

    return "".join(part if part.startswith("```") else LINK.sub(replace, part) for part in FENCE.split(text))


def place_of(target: str, anchor: str) -> str | None:
    """Where a file of the repository is in the site; None if there is no such file."""
    if target == "docs/ops.md":
        return f"ops/{anchor.lstrip('#') or 'index'}.md"
    if target == "README.md":
        return f"index.md{anchor}"
    if target.startswith("docs/"):
        return target.removeprefix("docs/") + anchor
    if (ROOT / target).is_dir():
        return f"sources/{target}/index.md"
    return f"sources/{target}.md" if (ROOT / target).is_file() else None


def source_pages(path: str) -> dict[str, str]:
    """A page that shows a file; for a folder also one that lists its files."""
    if (ROOT / path).is_file():
        language = LANGUAGES.get(Path(path).suffix, "text")
        return {f"sources/{path}.md": f"{HIDDEN}# {path}\n\n~~~~~{language}\n{read(path)}\n~~~~~\n"}
    files = sorted(file for file in (ROOT / path).rglob("*") if file.suffix in LANGUAGES and "build" not in file.parts)
    links = "\n".join(f"- [`{name}`]({name}.md)" for name in (file.relative_to(ROOT / path).as_posix() for file in files))
    pages = {f"sources/{path}/index.md": f"{HIDDEN}# {path}\n\n{links}\n"}
    for file in files:
        pages |= source_pages(file.relative_to(ROOT).as_posix())
    return pages


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
