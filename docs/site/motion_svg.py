"""A mechanism in motion as an SVG that moves by itself, from the page that `daelab animate` writes."""

import base64
import json
import math
import re
import zlib
from pathlib import Path

SIDE = 460  # of the picture [px]
MARGIN = 16
FRAMES = 100
Point = tuple[float, float]


def motion_in(page: Path) -> dict:
    """The last motion of a page: its times, shapes and their points (report/layout/motion.cpp)."""
    block = re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)
    assert block, "a page of daelab animate holds its data"
    return json.loads(zlib.decompress(base64.b64decode(block.group(1))))["sets"][0]["motions"][-1]


def frames_of(motion: dict) -> list[list[list[Point]]]:
    """For each shape, its points at each shown time, in pixels."""
    size = max(motion["box"])
    scale = SIDE / size
    rows = [round(i * (len(motion["t"]) - 1) / (FRAMES - 1)) for i in range(FRAMES)]
    columns = iter(motion["columns"])

    def column() -> list[float]:
        values = next(columns)
        return [values[row] if isinstance(values, list) else values for row in rows]

    shapes = []
    for shape in motion["shapes"]:
        points = []
        for _ in range(shape["points"]):
            x, y = column(), column()
            points.append([(MARGIN + a * scale, MARGIN + (motion["box"][1] - b) * scale) for a, b in zip(x, y, strict=True)])
        if shape["kind"] == "circle":
            column()
        shapes.append([list(frame) for frame in zip(*points, strict=True)])
    return shapes


def zigzag(start: Point, end: Point) -> list[Point]:
    length = math.dist(start, end) or 1
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def at(s: float, n: float) -> Point:
        return start[0] + along[0] * s - along[1] * n, start[1] + along[1] * s + along[0] * n

    turns = [at(length * (0.15 + 0.7 * (i + 0.5) / 16), 5 if i % 2 else -5) for i in range(16)]
    return [start, at(0.15 * length, 0), *turns, at(0.85 * length, 0), end]


def path(points: list[Point], closed: bool = False) -> str:
    return "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + ("z" if closed else "")


def moving(attribute: str, values: list[str], seconds: float) -> str:
    if len(set(values)) == 1:
        return ""
    return f'<animate attributeName="{attribute}" dur="{seconds}s" repeatCount="indefinite" values="{";".join(values)}"/>'


def drawn(kind: str, frames: list[list[Point]], seconds: float) -> str:
    if kind in ("joint", "mass", "circle"):
        moves = [moving(name, [f"{frame[0][axis]:.1f}" for frame in frames], seconds) for axis, name in enumerate(("cx", "cy"))]
        x, y = frames[0][0]
        return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{6 if kind == "mass" else 4}">{"".join(moves)}</circle>'
    if kind == "support":
        frames = [[(x, y), (x - 8, y + 13), (x + 8, y + 13)] for ((x, y), *_) in frames]
    if kind == "spring":
        frames = [zigzag(frame[0], frame[1]) for frame in frames]
    if kind not in ("line", "polygon", "support", "spring", "damper", "ground"):
        return ""
    values = [path(frame, kind in ("polygon", "support")) for frame in frames]
    return f'<path class="{kind}" d="{values[0]}">{moving("d", values, seconds)}</path>'


STYLE = """path, circle { fill: none; stroke: #12384f; stroke-width: 4; stroke-linecap: round; stroke-linejoin: round }
.polygon { fill: #cfe3f1; stroke-width: 3 } .spring { stroke: #c2571a; stroke-width: 2 }
.support { fill: #e8edf0; stroke-width: 1.5 } .joint { fill: #fff; stroke-width: 2 } .mass { fill: #12384f }"""


def write_motion(page: Path, target: Path, seconds: float, still: bool = False) -> None:
    """`still`: as it is at the start."""
    motion = motion_in(page)
    width, height = (SIDE * side / max(motion["box"]) + 2 * MARGIN for side in motion["box"])
    shapes = [drawn(shape["kind"], frames[:1] if still else frames, seconds)
              for shape, frames in zip(motion["shapes"], frames_of(motion), strict=True)]
    target.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"><style>{STYLE}</style>{"".join(shapes)}</svg>\n',
                      encoding="utf-8")
