// SPDX-License-Identifier: Apache-2.0
#include "backends/emulated/devices.h"

#include <pthread.h>

#include <cstdint>

namespace phi::emulated {

namespace {

// not a thread_local variable, which would be memory that blocks share: shared_memory.h
pthread_key_t Key() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, nullptr);
    return made;
  }();
  return key;
}

}  // namespace

int CurrentDevice() { return static_cast<int>(reinterpret_cast<intptr_t>(pthread_getspecific(Key()))); }

int ExchangeDevice(int device) {
  const int previous = CurrentDevice();
  pthread_setspecific(Key(), reinterpret_cast<void*>(intptr_t{device}));
  return previous;
}

}  // namespace phi::emulated
