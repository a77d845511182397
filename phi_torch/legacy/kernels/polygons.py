"""How much two polygons overlap, for boxes that are given by more than two corners."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

Edge = tuple[float, float, float, float, int]  # x and y of its lower end, of its upper one, and which polygon it is of


def polygon_overlap(x: Sequence[float], y: Sequence[float]) -> float:
    """The area that two polygons share, of that which they cover, 0 if one covers none; corners are x0, y0, x1, y1, ..."""
    areas, shared = (_area(x), _area(y)), _shared(x, y)
    return shared / (sum(areas) - shared) if shared and all(areas) else 0.0


def _corners(polygon: Sequence[float]) -> list[tuple[float, float]]:
    return list(zip(polygon[::2], polygon[1::2]))


def _area(polygon: Sequence[float]) -> float:
    corners = _corners(polygon)
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, corners[1:] + corners[:1]))) / 2


def _shared(x: Sequence[float], y: Sequence[float]) -> float:
    """By bands between the heights at which edges begin, end or cross: in a band they do not cross, and areas are trapezoids."""
    if any(max(x[at::2]) <= min(y[at::2]) or max(y[at::2]) <= min(x[at::2]) for at in (0, 1)):
        return 0.0
    edges = [*_edges(x, 0), *_edges(y, 1)]
    heights = {height for edge in edges for height in (edge[1], edge[3])}
    heights |= {height for a, b in itertools.combinations(edges, 2) for height in _crossing(a, b)}
    return sum((high - low) * _width(edges, (low + high) / 2) for low, high in itertools.pairwise(sorted(heights)))


def _edges(polygon: Sequence[float], of: int) -> list[Edge]:
    corners = _corners(polygon)
    pairs = [sorted(pair, key=lambda corner: corner[1]) for pair in zip(corners, corners[1:] + corners[:1])]
    return [(*low, *high, of) for low, high in pairs if low[1] < high[1]]


def _at(edge: Edge, height: float) -> float:
    x0, y0, x1, y1, _ = edge
    return x0 + (x1 - x0) * (height - y0) / (y1 - y0)


def _crossing(a: Edge, b: Edge) -> list[float]:
    low, high = max(a[1], b[1]), min(a[3], b[3])
    if low >= high:
        return []
    first, last = _at(a, low) - _at(b, low), _at(a, high) - _at(b, high)
    return [low + (high - low) * first / (first - last)] if first * last < 0 else []


def _width(edges: Sequence[Edge], height: float) -> float:
    """Of what is in both polygons, at a height."""
    crossed = sorted((_at(edge, height), edge[4]) for edge in edges if edge[1] < height < edge[3])
    inside, width = [False, False], 0.0
    for (x, of), (following, _) in itertools.pairwise(crossed):
        inside[of] = not inside[of]
        width += following - x if all(inside) else 0.0
    return width
