"""The composite of edit_distance: a row of the table of distances after the other."""

from __future__ import annotations

import torch
from torch import Tensor

from .found_sizes import has_values


def _lengths(given: Tensor | None, x: Tensor, argument: str, least: int) -> Tensor:
    if given is None:
        return torch.ones(x.shape[0], dtype=torch.int64, device=x.device) * x.shape[1]
    lengths = given.reshape(-1).long()
    if given.is_cpu and has_values(given) and ((lengths < least) | (lengths > x.shape[1])).any():
        raise ValueError(f"argument '{argument}': expected lengths in [{least}, {x.shape[1]}], got {lengths.tolist()}")
    return lengths


def edit_distance(
    hyps: Tensor, refs: Tensor, hypslength: Tensor | None, refslength: Tensor | None, normalized: bool = False
) -> tuple[Tensor, Tensor]:
    """What is put in goes from left to right: the least of all elements before, and as many as lie between."""
    of_hyps = _lengths(hypslength, hyps, "hypslength", 0)
    of_refs = _lengths(refslength, refs, "refslength", 1 if normalized else 0)
    rows, columns = refs.shape
    place = torch.arange(columns + 1, device=refs.device)
    distance = place.expand(rows, columns + 1)
    for step in range(hyps.shape[1]):
        replaced = distance[:, :-1] + (hyps[:, step : step + 1] != refs)
        first = torch.full_like(distance[:, :1], step + 1)
        least = torch.cat([first, torch.minimum(distance[:, 1:] + 1, replaced)], 1)
        filled = (least - place).cummin(1).values + place
        distance = torch.where((of_hyps > step).unsqueeze(1), filled, distance)
    found = distance.gather(1, of_refs.unsqueeze(1)).float()
    number = torch.ones(1, dtype=torch.int64, device=refs.device) * rows
    return number, found / of_refs.unsqueeze(1) if normalized else found
