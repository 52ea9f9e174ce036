#pragma once
/// What an action says when it refuses.

#include <exception>
#include <string>

#include "fovea/tests/support/folders.hpp"

namespace fovea::support {

/// The whole message of the Error that the action throws; "" if it throws none.
template <typename Error = std::exception, typename Action>
std::string refusal_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The same without the names of the folder in it.
template <typename Error = std::exception, typename Action>
std::string refusal_in(const TemporaryFolder& folder, const Action& action) {
  std::string text = refusal_of<Error>(action);
  for (std::size_t at = 0; (at = text.find(folder.path() + '/')) != std::string::npos;)
    text.erase(at, folder.path().size() + 1);
  return text;
}

}  // namespace fovea::support
