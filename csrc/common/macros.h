// SPDX-License-Identifier: Apache-2.0
#pragma once

// A parameter that a function does not use.
#define UNUSED __attribute__((unused))

#define DISABLE_COPY_AND_ASSIGN(Class)     \
  Class(const Class&) = delete;            \
  Class(Class&&) = delete;                 \
  Class& operator=(const Class&) = delete; \
  Class& operator=(Class&&) = delete
