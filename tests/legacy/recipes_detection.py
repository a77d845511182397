"""Recipes of operators of detection: anchors, boxes and what is chosen of them."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from phi_torch.legacy import LoDTensor
from phi_torch.legacy.lod import offsets_of

from .draw import FLOATS, Call, Draw, Slots
from .recipes import recipe


def boxes(draw: Draw, count: int, dtype: torch.dtype, size: float = 10.0) -> Tensor:
    corner = draw.tensor([count, 2], dtype, 0, size)
    return torch.cat([corner, corner + draw.tensor([count, 2], dtype, 0.5, size)], 1)


def offsets(draw: Draw, rows: int, images: int = 0) -> list[int]:
    """Of so many images, or any number, some of which may be without rows."""
    return [0, *sorted(draw.number(0, rows) for _ in range((images or draw.number(1, 3)) - 1)), rows]


def boxes_of(draw: Draw, images: int, dtype: torch.dtype, size: float = 10.0) -> LoDTensor:
    """Boxes of several images, each of which has one at least."""
    counts = [draw.number(1, 4) for _ in range(images)]
    return LoDTensor(boxes(draw, sum(counts), dtype, size), [offsets_of(counts)])


def image_sizes(draw: Draw, images: int, dtype: torch.dtype) -> Tensor:
    """Height, width and by what they are scaled."""
    return torch.cat([draw.tensor([images, 2], dtype, 8, 30), draw.tensor([images, 1], dtype, 0.5, 2)], 1)


def reals(draw: Draw, count: int, low: float, high: float) -> list[float]:
    return [draw.real(low, high) for _ in range(count)]


@recipe("anchor_generator")
def anchor_generator(draw: Draw) -> Call:
    x = draw.tensor([draw.number(1, 2), draw.number(1, 2), draw.number(1, 4), draw.number(1, 4)], draw.one(*FLOATS))
    attrs: dict[str, Any] = {"anchor_sizes": reals(draw, draw.number(1, 3), 8, 64), "variances": reals(draw, 4, 0.1, 1)}
    attrs["aspect_ratios"] = reals(draw, draw.number(1, 3), 0.3, 3)
    attrs |= draw.some({"stride": reals(draw, 2, 4, 20), "offset": draw.real(0, 1)})
    return Call({"Input": x}, attrs, {"Anchors": 1, "Variances": 1}, ())


@recipe("density_prior_box")
def density_prior_box(draw: Draw) -> Call:
    dtype, count = draw.one(*FLOATS), draw.number(1, 3)
    x = draw.tensor([1, 2, draw.number(1, 4), draw.number(1, 4)], dtype)
    image = draw.tensor([1, 3, draw.number(8, 40), draw.number(8, 40)], dtype)
    attrs = {"fixed_sizes": reals(draw, count, 2, 20), "fixed_ratios": reals(draw, draw.number(1, 2), 0.5, 2)}
    attrs |= {"densities": [draw.number(1, 3) for _ in range(count)], "variances": reals(draw, 4, 0.1, 1)}
    attrs |= draw.some({"clip": draw.flag(), "flatten_to_2d": draw.flag(), "offset": draw.real(0, 1)})
    attrs |= draw.some({"step_w": draw.one(0.0, draw.real(4, 9)), "step_h": draw.real(4, 9)})
    return Call({"Input": x, "Image": image}, attrs, {"Boxes": 1, "Variances": 1}, ())


@recipe("polygon_box_transform")
def polygon_box_transform(draw: Draw) -> Call:
    sizes = [draw.number(1, 2), 2 * draw.number(1, 3), draw.number(1, 4), draw.number(1, 4)]
    return Call({"Input": draw.tensor(sizes, draw.one(*FLOATS))}, {}, {"Output": 1}, ())


@recipe("box_decoder_and_assign")
def box_decoder_and_assign(draw: Draw) -> Call:
    dtype, count, classes = draw.one(*FLOATS), draw.number(1, 4), draw.number(1, 4)
    inputs = {"PriorBox": boxes(draw, count, dtype), "PriorBoxVar": draw.tensor([4], dtype, 0.1, 2)}
    inputs |= {"TargetBox": draw.tensor([count, 4 * classes], dtype), "BoxScore": draw.tensor([count, classes], dtype)}
    return Call(inputs, draw.some({"box_clip": draw.real(0.5, 4)}), {"DecodeBox": 1, "OutputAssignBox": 1}, ())


@recipe("iou_similarity")
def iou_similarity(draw: Draw) -> Call:
    dtype = draw.one(*FLOATS)
    inputs = {slot: boxes(draw, draw.number(1, 4), dtype) for slot in ("X", "Y")}
    return Call(inputs, draw.some({"box_normalized": draw.flag()}), wanted=())


@recipe("bipartite_match")
def bipartite_match(draw: Draw) -> Call:
    sizes = [draw.one(*range(1, 6), 140), draw.number(1, 6)]
    dist = draw.tensor(sizes, draw.one(*FLOATS), draw.one(-1, 0, 0.2), 1)
    dist = LoDTensor(dist, [offsets(draw, sizes[0])]) if draw.flag() else dist
    attrs = draw.some({"match_type": draw.one("bipartite", "per_prediction"), "dist_threshold": draw.real(0.2, 0.8)})
    return Call({"DistMat": dist}, attrs, {"ColToRowMatchIndices": 1, "ColToRowMatchDist": 1}, ())


@recipe("box_clip")
def box_clip(draw: Draw) -> Call:
    images = draw.number(1, 3)
    given = boxes_of(draw, images, draw.one(*FLOATS), 20.0)
    return Call({"Input": given, "ImInfo": image_sizes(draw, images, given.dtype)}, {}, {"Output": 1}, ())


# ---- boxes that are chosen


def polygons(draw: Draw, sizes: list[int], corners: int, dtype: torch.dtype) -> Tensor:
    """Stars around a center: simple polygons, most of them not convex."""
    center = draw.tensor([*sizes, 1, 2], dtype, 0, 6)
    angle = (torch.arange(corners, dtype=dtype) + draw.tensor([*sizes, corners], dtype, 0, 0.8)) * (6.283 / corners)
    radius = draw.tensor([*sizes, corners, 1], dtype, 1, 5)
    return (center + radius * torch.stack([angle.cos(), angle.sin()], -1)).flatten(-2)


def several_classes(draw: Draw) -> tuple[dict[str, Tensor], dict[str, Any]]:
    dtype, images, count, size = draw.one(*FLOATS), draw.number(1, 2), draw.number(1, 8), draw.one(4, 4, 8, 16)
    of_polygons = polygons(draw, [images, count], size // 2, dtype)
    bboxes = boxes(draw, images * count, dtype).reshape(images, count, 4) if size == 4 else of_polygons
    inputs = {"BBoxes": bboxes, "Scores": draw.tensor([images, draw.number(1, 4), count], dtype, 0, 1)}
    attrs: dict[str, Any] = {"score_threshold": draw.one(0.0, 0.3, 0.5, 1.0), "nms_top_k": draw.one(-1, 2, 10)}
    attrs |= {"keep_top_k": draw.one(-1, 1, 3, 20)}
    attrs |= draw.some({"nms_threshold": draw.real(0.05, 0.9), "nms_eta": draw.one(1.0, 0.8), "normalized": draw.flag()})
    return inputs, {**attrs, **draw.some({"background_label": draw.number(-1, 2)})}


def of_images(draw: Draw) -> tuple[dict[str, Any], dict[str, Any]]:
    """As `several_classes`, or boxes for each class and image, one after the other."""
    inputs, attrs = several_classes(draw)
    if draw.flag(0.6):
        return inputs, attrs
    dtype, count, classes = inputs["BBoxes"].dtype, draw.number(1, 8), draw.number(1, 3)
    lod = [offsets(draw, count)]
    bboxes = boxes(draw, count * classes, dtype).reshape(count, classes, 4)
    return {"BBoxes": LoDTensor(bboxes, lod), "Scores": LoDTensor(draw.tensor([count, classes], dtype, 0, 1), lod)}, attrs


@recipe("locality_aware_nms")
def locality_aware_nms(draw: Draw) -> Call:
    return Call(*several_classes(draw), wanted=())


@recipe("multiclass_nms")
def multiclass_nms(draw: Draw) -> Call:
    return Call(*of_images(draw), wanted=())


@recipe("multiclass_nms2")
def multiclass_nms2(draw: Draw) -> Call:
    return Call(*of_images(draw), {"Out": 1, "Index": 1}, ())


@recipe("multiclass_nms3")
def multiclass_nms3(draw: Draw) -> Call:
    inputs, attrs = several_classes(draw)
    outputs = {"Out": 1, "Index": 1, "NmsRoisNum": 1}
    if draw.flag(0.4):
        dtype, classes = inputs["BBoxes"].dtype, draw.number(1, 3)
        counts = torch.tensor([draw.number(0, 4), draw.number(1, 4)], dtype=torch.int32)
        count = int(counts.sum())
        inputs = {"BBoxes": boxes(draw, count * classes, dtype).reshape(count, classes, 4), "RoisNum": counts}
        inputs["Scores"] = draw.tensor([count, classes], dtype, 0, 1)
    return Call(inputs, attrs, outputs, ())


@recipe("retinanet_detection_output")
def retinanet_detection_output(draw: Draw) -> Call:
    dtype, images, levels, classes = draw.one(*FLOATS), draw.number(1, 2), draw.number(1, 3), draw.number(1, 3)
    counts = [draw.number(1, 5) for _ in range(levels)]
    inputs: dict[str, Any] = {"BBoxes": [draw.tensor([images, count, 4], dtype, -1, 1) for count in counts]}
    inputs["Scores"] = [draw.tensor([images, count, classes], dtype, 0, 1) for count in counts]
    inputs["Anchors"] = [boxes(draw, count, dtype) for count in counts]
    inputs["ImInfo"] = image_sizes(draw, images, dtype)
    attrs = {"score_threshold": draw.one(0.05, 0.5, 1.0), "nms_top_k": draw.one(-1, 2, 10), "keep_top_k": draw.one(1, 3, 100)}
    return Call(inputs, {**attrs, "nms_threshold": draw.real(0.1, 0.9), "nms_eta": draw.one(1.0, 0.8)}, wanted=())


@recipe("generate_proposals")
def generate_proposals(draw: Draw) -> Call:
    dtype, images, anchors, height, width = draw.one(*FLOATS), *(draw.number(1, 3) for _ in range(4))
    inputs = {"Scores": draw.tensor([images, anchors, height, width], dtype, 0, 1)}
    inputs["BboxDeltas"] = draw.tensor([images, 4 * anchors, height, width], dtype)
    inputs["ImInfo"] = image_sizes(draw, images, dtype)
    inputs["Anchors"] = boxes(draw, height * width * anchors, dtype).reshape(height, width, anchors, 4)
    inputs["Variances"] = draw.tensor([height, width, anchors, 4], dtype, 0.1, 1)
    attrs = {"pre_nms_topN": draw.one(2, 5, 100), "post_nms_topN": draw.one(1, 3, 100), "nms_thresh": draw.real(0.1, 0.9)}
    attrs |= {"min_size": draw.real(0, 8), "eta": draw.one(1.0, 0.8)}
    return Call(inputs, attrs, {"RpnRois": 1, "RpnRoiProbs": 1, "RpnRoisNum": 1}, ())


@recipe("collect_fpn_proposals")
def collect_fpn_proposals(draw: Draw) -> Call:
    dtype, images, levels = draw.one(*FLOATS), draw.number(1, 3), draw.number(1, 3)
    counts = torch.stack([draw.whole([images], 4, torch.int32) + 1 for _ in range(levels)])
    inputs: dict[str, Any] = {"MultiLevelRois": [boxes(draw, int(one.sum()), dtype) for one in counts]}
    inputs["MultiLevelScores"] = [draw.tensor([int(one.sum()), 1], dtype, 0, 1) for one in counts]
    if draw.flag():
        inputs["MultiLevelRoIsNum"] = list(counts)
    else:
        lods = [[offsets_of(one.tolist())] for one in counts]
        inputs = {slot: [LoDTensor(one, lod) for one, lod in zip(some, lods)] for slot, some in inputs.items()}
    most = int(counts.sum())  # with fewer, an image may have none, whose number Paddle does not write
    attrs = {"post_nms_topN": draw.one(most, 100) if images > 1 else draw.number(1, most)}
    return Call(inputs, attrs, {"FpnRois": 1, "RoisNum": 1} if draw.flag(0.8) else {"FpnRois": 1}, ())


@recipe("mine_hard_examples")
def mine_hard_examples(draw: Draw) -> Call:
    dtype, sizes = draw.one(*FLOATS), [draw.number(1, 3), draw.number(1, 8)]
    inputs = {"ClsLoss": draw.tensor(sizes, dtype, 0, 3), "MatchDist": draw.tensor(sizes, dtype, 0, 1)}
    inputs["MatchIndices"] = draw.whole(sizes, 4, torch.int32) - 1
    inputs |= {"LocLoss": draw.tensor(sizes, dtype, 0, 3)} if draw.flag() else {}
    attrs = {"mining_type": "hard_example", "sample_size": draw.number(1, 6)}
    if draw.flag():
        attrs = draw.some(
            {"mining_type": "max_negative", "neg_pos_ratio": draw.real(0.3, 3), "neg_dist_threshold": draw.real(0.2, 0.9)}
        )
    return Call(inputs, attrs, {"NegIndices": 1, "UpdatedMatchIndices": 1}, ())


def targets(draw: Draw) -> dict[str, Any]:
    dtype, images = draw.one(*FLOATS), draw.number(1, 3)
    gt_boxes = boxes_of(draw, images, dtype)
    lod, count = gt_boxes.lod, len(gt_boxes)
    crowd = draw.whole([count, 1], 2, torch.int32)
    crowd[lod[0][:-1]] = 0  # a box of each image counts
    inputs = {"Anchor": boxes(draw, draw.number(3, 12), dtype), "GtBoxes": gt_boxes, "IsCrowd": LoDTensor(crowd, lod)}
    return {**inputs, "ImInfo": image_sizes(draw, images, dtype)}


TARGETS = ("LocationIndex", "ScoreIndex", "TargetBBox", "TargetLabel", "BBoxInsideWeight")


@recipe("rpn_target_assign")
def rpn_target_assign(draw: Draw) -> Call:
    attrs = {"rpn_batch_size_per_im": draw.one(4, 12, 256), "rpn_straddle_thresh": draw.one(-1.0, 100.0), "use_random": False}
    attrs |= draw.some({"rpn_positive_overlap": draw.real(0.3, 0.7), "rpn_negative_overlap": draw.real(0.1, 0.4)})
    return Call(targets(draw), attrs | draw.some({"rpn_fg_fraction": draw.real(0.25, 0.5)}), dict.fromkeys(TARGETS, 1), ())


@recipe("generate_proposal_labels")
def generate_proposal_labels(draw: Draw) -> Call:
    inputs = targets(draw)
    crowd, boxes = inputs["IsCrowd"], inputs["GtBoxes"]
    images = len(boxes.lod[0]) - 1
    rois = boxes_of(draw, images, torch.float32, 16.0)
    near = boxes[draw.whole([len(rois)], len(boxes))] + draw.tensor([len(rois), 4], low=0.0, high=2.0)
    inputs = {"IsCrowd": crowd, "GtBoxes": boxes, "ImInfo": inputs["ImInfo"], "RpnRois": LoDTensor(near, rois.lod)}
    inputs["GtClasses"] = LoDTensor(draw.whole(crowd.shape, 4, torch.int32) + 1, crowd.lod)
    attrs = {"batch_size_per_im": draw.one(4, 12, 256), "fg_fraction": draw.one(0.25, 0.5), "fg_thresh": draw.real(0.3, 0.7)}
    attrs |= {"bg_thresh_hi": draw.real(0.3, 0.7), "bg_thresh_lo": draw.one(0.0, 0.1), "use_random": False, "class_nums": 5}
    attrs |= {"bbox_reg_weights": [0.1, 0.1, 0.2, 0.2], "is_cls_agnostic": draw.flag(), "is_cascade_rcnn": draw.flag()}
    if attrs["is_cascade_rcnn"]:
        inputs["MaxOverlap"] = LoDTensor(draw.tensor([len(rois)], low=0.0, high=1.2).clamp(max=1.0), rois.lod)
    kinds = ("Rois", "LabelsInt32", "BboxTargets", "BboxInsideWeights", "BboxOutsideWeights", "MaxOverlapWithGT")
    return Call(inputs, attrs, dict.fromkeys(kinds, 1), ())


@recipe("retinanet_target_assign")
def retinanet_target_assign(draw: Draw) -> Call:
    inputs = targets(draw)
    crowd = inputs["IsCrowd"]
    inputs["GtLabels"] = LoDTensor(draw.whole(crowd.shape, 4, torch.int32) + 1, crowd.lod)
    attrs = draw.some({"positive_overlap": draw.real(0.3, 0.6), "negative_overlap": draw.real(0.1, 0.5)})
    return Call(inputs, attrs, dict.fromkeys((*TARGETS, "ForegroundNumber"), 1), ())


@recipe("detection_map")
def detection_map(draw: Draw) -> Call:
    dtype, images, classes, with_difficult = draw.one(*FLOATS), draw.number(1, 3), draw.number(2, 4), draw.flag()
    labels = boxes_of(draw, images, dtype, 0.5)
    of_class = draw.whole([len(labels), 1], classes).to(dtype)
    difficult = [draw.truths([len(labels), 1]).to(dtype)] if with_difficult else []
    found = boxes_of(draw, images, dtype, 0.5)
    near = labels[draw.whole([len(found)], len(labels))] + draw.tensor([len(found), 4], dtype, -0.1, 0.1)
    scored = [draw.whole([len(found), 1], classes).to(dtype), draw.tensor([len(found), 1], dtype, 0, 1)]
    inputs: Slots = {"DetectRes": LoDTensor(torch.cat([*scored, near], 1), found.lod)}
    inputs["Label"] = LoDTensor(torch.cat([of_class, *difficult, labels], 1), labels.lod)
    if draw.flag(0.4):
        rows = draw.number(1, 6)
        right, lod = draw.truths([rows, 1]), [offsets(draw, rows, classes)]
        inputs |= {"HasState": torch.tensor([draw.number(0, 1)], dtype=torch.int32)}
        inputs |= {"PosCount": draw.whole([classes, 1], 4, torch.int32) + 1}
        for slot, flags in (("TruePos", right), ("FalsePos", ~right)):
            inputs[slot] = LoDTensor(torch.cat([draw.tensor([rows, 1], dtype, 0, 1), flags.to(dtype)], 1), lod)
    attrs = {"class_num": classes, "ap_type": draw.one("integral", "11point")}
    attrs |= draw.some({"background_label": draw.number(-1, 1), "overlap_threshold": draw.real(0.2, 0.6)})
    outputs = dict.fromkeys(("AccumPosCount", "AccumTruePos", "AccumFalsePos", "MAP"), 1)
    return Call(inputs, {**attrs, **draw.some({"evaluate_difficult": draw.flag()})}, outputs, ())
