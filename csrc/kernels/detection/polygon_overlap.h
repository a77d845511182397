// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

// How much two polygons overlap, for boxes that are given by more than two corners.
namespace phi {

// Edges go up, from (x0, y0) to (x1, y1).
struct PolygonEdge {
  double x0, y0, x1, y1;
  int of;  // which polygon

  double At(double y) const { return x0 + (x1 - x0) * (y - y0) / (y1 - y0); }
};

template <typename T>
double PolygonArea(const T* polygon, int corners) {
  double twice = 0;
  for (int i = 0; i < corners; ++i) {
    const T *a = polygon + 2 * i, *b = polygon + 2 * ((i + 1) % corners);
    twice += double(a[0]) * double(b[1]) - double(a[1]) * double(b[0]);
  }
  return std::abs(twice) / 2;
}

template <typename T>
void AddPolygonEdges(const T* polygon, int corners, int of, std::vector<PolygonEdge>* edges) {
  for (int i = 0; i < corners; ++i) {
    const T *a = polygon + 2 * i, *b = polygon + 2 * ((i + 1) % corners);
    if (b[1] < a[1]) std::swap(a, b);
    if (a[1] < b[1]) edges->push_back({double(a[0]), double(a[1]), double(b[0]), double(b[1]), of});
  }
}

// Of what is in both polygons, at a height.
inline double CommonWidth(const std::vector<PolygonEdge>& edges, double y) {
  std::vector<std::pair<double, int>> crossed;
  for (const PolygonEdge& edge : edges) {
    if (edge.y0 < y && y < edge.y1) crossed.emplace_back(edge.At(y), edge.of);
  }
  std::sort(crossed.begin(), crossed.end());
  bool inside[2] = {false, false};
  double width = 0;
  for (size_t i = 0; i + 1 < crossed.size(); ++i) {
    bool& is_inside = inside[crossed[i].second];
    is_inside = !is_inside;
    if (inside[0] && inside[1]) width += crossed[i + 1].first - crossed[i].first;
  }
  return width;
}

// Whether their bounds are apart along x (0) or y (1).
template <typename T>
bool ApartAlong(const T* a, const T* b, int corners, int axis) {
  T low[2], high[2];
  for (int which = 0; which < 2; ++which) {
    const T* p = which == 0 ? a : b;
    low[which] = high[which] = p[axis];
    for (int i = 1; i < corners; ++i) {
      low[which] = std::min(low[which], p[2 * i + axis]), high[which] = std::max(high[which], p[2 * i + axis]);
    }
  }
  return !(high[0] > low[1] && high[1] > low[0]);
}

// The area that two polygons share of that which they cover, 0 if one covers none; corners are x0, y0, x1, y1, ...
// Between the heights at which edges begin, end or cross, areas are trapezoids.
template <typename T>
T PolygonOverlap(const T* a, const T* b, int corners) {
  if (ApartAlong(a, b, corners, 0) || ApartAlong(a, b, corners, 1)) return T(0);
  std::vector<PolygonEdge> edges;
  AddPolygonEdges(a, corners, 0, &edges);
  AddPolygonEdges(b, corners, 1, &edges);
  std::vector<double> heights;
  for (size_t i = 0; i < edges.size(); ++i) {
    heights.push_back(edges[i].y0), heights.push_back(edges[i].y1);
    for (size_t k = i + 1; k < edges.size(); ++k) {
      const double low = std::max(edges[i].y0, edges[k].y0), high = std::min(edges[i].y1, edges[k].y1);
      if (low >= high) continue;
      const double first = edges[i].At(low) - edges[k].At(low), last = edges[i].At(high) - edges[k].At(high);
      if (first * last < 0) heights.push_back(low + (high - low) * first / (first - last));
    }
  }
  std::sort(heights.begin(), heights.end());
  double shared = 0;
  for (size_t i = 0; i + 1 < heights.size(); ++i) {
    const double height = heights[i + 1] - heights[i];
    if (height > 0) shared += height * CommonWidth(edges, (heights[i] + heights[i + 1]) / 2);
  }
  const double first = PolygonArea(a, corners), second = PolygonArea(b, corners);
  return shared == 0 || first == 0 || second == 0 ? T(0) : T(shared / (first + second - shared));
}

}  // namespace phi
