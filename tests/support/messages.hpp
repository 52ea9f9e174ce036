#pragma once
/// What an action says when it refuses.

#include <string>

namespace fovea::support {

/// The text of the Error that the action throws; "" if it throws none.
template <typename Error, typename Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace fovea::support
