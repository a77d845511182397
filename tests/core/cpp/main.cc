// SPDX-License-Identifier: Apache-2.0
#include "check.h"

int main(int argc, char** argv) {
  if (argc == 1) {
    for (const auto& [name, test] : Tests()) std::cout << name << '\n';
    return 0;
  }
  try {
    Tests().at(argv[1])();
  } catch (const std::exception& e) {
    std::cerr << argv[1] << ": " << e.what() << '\n';
    return 1;
  }
  return 0;
}
