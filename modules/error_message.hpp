// The message of an exception, since no exception may leave a module.
#pragma once

#include <exception>
#include <functional>
#include <new>
#include <string>

/// Null if the work succeeds; else what went wrong, valid until the next call in this thread.
inline const char* message_of(const std::function<void()>& work) {
  thread_local std::string message;
  try {
    work();
    return nullptr;
  } catch (const std::bad_alloc&) {
    message = "needs more memory than there is";
  } catch (const std::exception& error) {
    message = error.what();
  }
  return message.c_str();
}
