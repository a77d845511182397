// SPDX-License-Identifier: Apache-2.0
#include "ir/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/enforce.h"

namespace phi::ir {

MappedFile MapFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  PADDLE_ENFORCE(file >= 0, errors::NotFound("%s: %s", path, std::strerror(errno)));
  const std::shared_ptr<void> closed(nullptr, [file](void*) { close(file); });
  struct stat info{};
  PADDLE_ENFORCE(fstat(file, &info) == 0 && S_ISREG(info.st_mode), errors::NotFound("%s: no file", path));
  const auto size = static_cast<size_t>(info.st_size);
  if (size == 0) return {};
  void* begin = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  PADDLE_ENFORCE(begin != MAP_FAILED, errors::Unavailable("%s: %s", path, std::strerror(errno)));
  return {std::shared_ptr<void>(begin, [size](void* p) { munmap(p, size); }), {static_cast<const char*>(begin), size}};
}

}  // namespace phi::ir
