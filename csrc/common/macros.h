// SPDX-License-Identifier: Apache-2.0
#pragma once

// A name as a string, after its expansion.
#define PHI_QUOTE_(name) #name
#define PHI_QUOTE(name) PHI_QUOTE_(name)

// A parameter that a function does not use.
#define UNUSED __attribute__((unused))

#define DISABLE_COPY_AND_ASSIGN(Class)     \
  Class(const Class&) = delete;            \
  Class(Class&&) = delete;                 \
  Class& operator=(const Class&) = delete; \
  Class& operator=(Class&&) = delete
