// SPDX-License-Identifier: Apache-2.0
#include "core/yaml_places.h"

#include <map>
#include <mutex>

namespace phi {

namespace {

struct Table {
  std::mutex mutex;
  std::map<std::string, const char*> places;
};

Table& Known() {
  static Table& table = *new Table;  // never destroyed: an error may be printed while the process ends
  return table;
}

}  // namespace

YamlPlaces::YamlPlaces(std::initializer_list<std::pair<const char*, const char*>> places) {
  Table& known = Known();
  const std::lock_guard<std::mutex> lock(known.mutex);
  for (const auto& [op, place] : places) known.places[op] = place;
}

std::string YamlPlace(const std::string& op) {
  Table& known = Known();
  const std::lock_guard<std::mutex> lock(known.mutex);
  const auto found = known.places.find(op);
  return found == known.places.end() ? "the entry of '" + op + "'" : found->second;
}

}  // namespace phi
