"""Recipes of operators of detection that newer networks have, and of the second versions of interpolations."""

from __future__ import annotations

from typing import Any

import torch

from phi_torch.legacy import LoDTensor
from phi_torch.legacy.lod import offsets_of

from .draw import FLOATS, Call, Draw, Slots
from .recipes import Recipe, recipe
from .recipes_detection import boxes, boxes_of, reals


@recipe("yolo_box")
def yolo_box(draw: Draw) -> Call:
    dtype, images, classes, anchors = draw.one(*FLOATS), draw.number(1, 2), draw.number(1, 3), draw.number(1, 3)
    aware = draw.flag(0.3)
    channels = anchors * (5 + classes + aware)
    inputs = {"X": draw.tensor([images, channels, draw.number(1, 3), draw.number(1, 3)], dtype)}
    inputs["ImgSize"] = draw.whole([images, 2], 60, torch.int32) + 20
    attrs: dict[str, Any] = {"anchors": [draw.number(5, 60) for _ in range(2 * anchors)], "class_num": classes}
    attrs |= {"conf_thresh": draw.one(0.01, 0.5), "downsample_ratio": draw.one(8, 16, 32), "iou_aware": aware}
    attrs |= draw.some({"clip_bbox": draw.flag(), "scale_x_y": draw.real(0.8, 1.3), "iou_aware_factor": draw.real(0.2, 0.8)})
    return Call(inputs, attrs, {"Boxes": 1, "Scores": 1}, ())


@recipe("yolov3_loss")
def yolov3_loss(draw: Draw) -> Call:
    dtype, images, classes, size = draw.one(*FLOATS), draw.number(1, 2), draw.number(1, 3), draw.number(2, 4)
    mask = [[0, 1, 2], [1, 2], [0]][draw.number(0, 2)]
    count = draw.number(1, 3)
    inputs = {"X": draw.tensor([images, len(mask) * (5 + classes), size, size], dtype)}
    inputs["GTBox"] = torch.cat(
        [draw.tensor([images, count, 2], dtype, 0.05, 0.95), draw.tensor([images, count, 2], dtype, 0, 0.6)], 2
    )
    inputs["GTLabel"] = draw.whole([images, count], classes, torch.int32)
    inputs |= {"GTScore": draw.tensor([images, count], dtype, 0.1, 1)} if draw.flag() else {}
    attrs: dict[str, Any] = {"anchors": [draw.number(5, 60) for _ in range(6)], "anchor_mask": mask, "class_num": classes}
    attrs |= {"ignore_thresh": draw.real(0.2, 0.8), "downsample_ratio": draw.one(8, 16, 32)}
    attrs |= draw.some({"use_label_smooth": draw.flag(), "scale_x_y": draw.real(0.8, 1.3)})
    return Call(inputs, attrs, {"Loss": 1, "ObjectnessMask": 1, "GTMatchMask": 1}, ("X",))


@recipe("prior_box")
def prior_box(draw: Draw) -> Call:
    dtype, count = draw.one(*FLOATS), draw.number(1, 2)
    inputs = {"Input": draw.tensor([1, 2, draw.number(1, 4), draw.number(1, 4)], dtype)}
    inputs["Image"] = draw.tensor([1, 3, draw.number(8, 40), draw.number(8, 40)], dtype)
    least = reals(draw, count, 2, 10)
    attrs: dict[str, Any] = {"min_sizes": least, "variances": reals(draw, 4, 0.1, 1)}
    attrs |= draw.some({"max_sizes": [one + 3 for one in least], "aspect_ratios": draw.one([1.0], [2.0], [1.0, 2.0, 0.5])})
    attrs |= draw.some({"flip": draw.flag(), "clip": draw.flag(), "offset": draw.real(0, 1)})
    attrs |= draw.some({"step_w": draw.one(0.0, 5.0), "step_h": 6.0, "min_max_aspect_ratios_order": draw.flag()})
    return Call(inputs, attrs, {"Boxes": 1, "Variances": 1}, ())


@recipe("box_coder")
def box_coder(draw: Draw) -> Call:
    dtype, priors, targets, decode = draw.one(*FLOATS), draw.number(1, 4), draw.number(1, 4), draw.flag()
    axis = draw.number(0, 1) if decode else 0
    count = priors if axis == 0 else targets
    inputs = {"PriorBox": boxes(draw, count, dtype)}
    inputs["TargetBox"] = draw.tensor([targets, priors, 4], dtype) if decode else boxes(draw, targets, dtype)
    form, attrs = draw.number(0, 2), dict[str, Any]()
    if form == 0:
        inputs["PriorBoxVar"] = draw.tensor([count, 4], dtype, 0.1, 1)
    elif form == 1 and dtype == torch.float32:  # Paddle reads the numbers in the data type of the boxes
        attrs["variance"] = reals(draw, 4, 0.1, 1)
    attrs |= {"code_type": "decode_center_size" if decode else "encode_center_size", "axis": axis}
    return Call(inputs, {**attrs, **draw.some({"box_normalized": draw.flag()})}, {"OutputBox": 1}, ())


@recipe("matrix_nms")
def matrix_nms(draw: Draw) -> Call:
    dtype, images, count = draw.one(*FLOATS), draw.number(1, 2), draw.number(1, 8)
    inputs = {"BBoxes": boxes(draw, images * count, dtype).reshape(images, count, 4)}
    inputs["Scores"] = draw.tensor([images, draw.number(1, 4), count], dtype, 0, 1)
    attrs: dict[str, Any] = {"score_threshold": draw.one(0.0, 0.3, 1.0), "nms_top_k": draw.one(-1, 2, 10)}
    attrs |= {"keep_top_k": draw.one(-1, 1, 3, 20), "post_threshold": draw.one(0.0, 0.2)}
    attrs |= draw.some({"background_label": draw.number(-1, 2), "normalized": draw.flag(), "use_gaussian": draw.flag()})
    attrs |= draw.some({"gaussian_sigma": draw.real(1, 3)})
    return Call(inputs, attrs, {"Out": 1, "Index": 1, "RoisNum": 1}, ())


@recipe("generate_proposals_v2")
def generate_proposals_v2(draw: Draw) -> Call:
    dtype, images, anchors, height, width = draw.one(*FLOATS), *(draw.number(1, 3) for _ in range(4))
    inputs = {"Scores": draw.tensor([images, anchors, height, width], dtype, 0, 1)}
    inputs["BboxDeltas"] = draw.tensor([images, 4 * anchors, height, width], dtype)
    inputs["ImShape"] = draw.tensor([images, 2], dtype, 8, 30)
    inputs["Anchors"] = boxes(draw, height * width * anchors, dtype).reshape(height, width, anchors, 4)
    inputs["Variances"] = draw.tensor([height, width, anchors, 4], dtype, 0.1, 1)
    attrs = {"pre_nms_topN": draw.one(2, 5, 100), "post_nms_topN": draw.one(1, 3, 100), "nms_thresh": draw.real(0.1, 0.9)}
    attrs |= {"min_size": draw.real(0, 8), "eta": draw.one(1.0, 0.8), **draw.some({"pixel_offset": draw.flag()})}
    return Call(inputs, attrs, {"RpnRois": 1, "RpnRoiProbs": 1, "RpnRoisNum": 1}, ())


@recipe("distribute_fpn_proposals")
def distribute_fpn_proposals(draw: Draw) -> Call:
    dtype, least, levels = draw.one(*FLOATS), draw.number(2, 3), draw.number(1, 3)
    counts = torch.tensor([draw.number(1, 4) for _ in range(draw.number(1, 2))], dtype=torch.int32)
    # without levels too Paddle gives them, which nobody needs where the number of boxes is there
    inputs: Slots = {"FpnRois": LoDTensor(boxes(draw, int(counts.sum()), dtype, 200.0), [offsets_of(counts.tolist())])}
    inputs |= {"RoisNum": counts} if draw.flag() else {}
    attrs = {"min_level": least, "max_level": least + levels - 1, "refer_level": least + draw.number(0, 1)}
    attrs |= {"refer_scale": draw.number(20, 224), **draw.some({"pixel_offset": draw.flag()})}
    numbers = {"MultiLevelRoIsNum": levels} if "RoisNum" in inputs else {}
    return Call(inputs, attrs, {"MultiFpnRois": levels, "RestoreIndex": 1, **numbers}, ())


def regions(draw: Draw, channels: int) -> tuple[Slots, dict[str, Any]]:
    dtype, batch, count = draw.one(*FLOATS), draw.number(1, 2), draw.number(2, 4)
    x = draw.tensor([batch, channels, draw.number(3, 6), draw.number(3, 6)], dtype)
    numbers = torch.tensor([count] if batch == 1 else [count - 1, 1], dtype=torch.int32)
    rois = boxes(draw, count, dtype, draw.one(4.0, 12.0))
    by_levels = {"X": x, "ROIs": LoDTensor(rois, [offsets_of(numbers.tolist())])}
    inputs = {"X": x, "ROIs": rois, "RoisNum": numbers} if draw.flag(0.7) else by_levels
    return inputs, draw.some({"spatial_scale": draw.one(0.7, 1.0, 0.25)})


@recipe("roi_pool")
def roi_pool(draw: Draw) -> Call:
    inputs, attrs = regions(draw, draw.number(1, 2))
    attrs |= draw.some({"pooled_height": draw.number(1, 3), "pooled_width": draw.number(1, 3)})
    return Call(inputs, attrs, {"Out": 1, "Argmax": 1}, ("X",), ("Argmax",))


@recipe("psroi_pool")
def psroi_pool(draw: Draw) -> Call:
    height, width, channels = draw.number(1, 3), draw.number(1, 3), draw.number(2, 3)  # of Paddle's at least 2
    inputs, attrs = regions(draw, height * width * channels)
    attrs |= {"pooled_height": height, "pooled_width": width, "output_channels": channels}
    return Call(inputs, attrs, wanted=("X",))


def interpolation(draw: Draw, axes: int, method: str) -> Call:
    last = draw.flag(0.4)
    sizes = [draw.number(1, 5) for _ in range(axes)]
    channels = draw.number(1, 2)
    x = draw.tensor([draw.number(1, 2), *([*sizes, channels] if last else [channels, *sizes])], draw.one(*FLOATS))
    wanted = [draw.number(1, 7) for _ in range(axes)]
    attrs: dict[str, Any] = dict(zip(("out_d", "out_h", "out_w")[-axes:], wanted))
    inputs: dict[str, Any] = {"X": x}
    form, scales = draw.number(0, 4), [draw.one(0.5, 0.7, 1.3, 2.0) if size > 1 else 2.0 for size in sizes]
    if form == 0:
        inputs["OutSize"] = torch.tensor(wanted, dtype=torch.int32)
    elif form == 1:
        inputs["SizeTensor"] = [torch.tensor([one], dtype=torch.int32) for one in wanted]
    elif form == 2:
        inputs["Scale"] = torch.tensor(draw.one(scales, [2.0]))
    elif form == 3:
        attrs["scale"] = draw.one(scales, [2.0] * axes)
    attrs |= draw.some({"align_corners": draw.flag(), "align_mode": draw.number(0, 1)})
    return Call(inputs, {**attrs, "interp_method": method, "data_layout": "NHWC" if last else "NCHW"})


def of_axes(axes: int, method: str) -> Recipe:
    return lambda draw: interpolation(draw, axes, method)


for _axes, _method in ((1, "linear"), (2, "bilinear"), (2, "nearest"), (2, "bicubic"), (3, "trilinear")):
    recipe(f"{_method}_interp_v2")(of_axes(_axes, _method))


@recipe("deformable_psroi_pooling")
def deformable_psroi_pooling(draw: Draw) -> Call:
    dtype, images, dims = draw.one(*FLOATS), draw.number(1, 2), draw.one(2, 4)
    group, part = [draw.number(1, 2), draw.number(1, 2)], [draw.number(1, 3)] * 2  # Paddle's gradient is of square parts
    rois = boxes_of(draw, images, dtype)
    inputs = {"Input": draw.tensor([images, dims * group[0] * group[1], 6, 7], dtype), "ROIs": rois}
    inputs["Trans"] = draw.tensor([len(rois), 2 * draw.number(1, 2), *part], dtype)
    attrs = {"no_trans": draw.flag(0.3), "spatial_scale": draw.one(0.5, 1.0), "output_dim": dims, "group_size": group}
    attrs |= {"pooled_height": draw.number(1, 3), "pooled_width": draw.number(1, 3), "part_size": part}
    attrs |= {"sample_per_part": draw.number(1, 3), "trans_std": draw.real(0.1, 0.5)}
    wanted = ("Input",) if attrs["no_trans"] else ("Input", "Trans")
    return Call(inputs, attrs, {"TopCount": 1, "Output": 1}, wanted)
