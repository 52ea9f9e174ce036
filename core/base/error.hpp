#pragma once
/// The errors of the library and the one way to raise them.
///
/// A sentence says who, what it is (with the value), what it must be, and what to do, if known.

#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace fovea {

/// The caller broke a documented rule.
class ArgumentError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A configuration is wrong; the text starts with `file:line:column:` and may hold one line for each mistake.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file that was named, a config or one that a config names, is not there. The command ends as for bad input data.
class MissingInput : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

/// An input file is damaged, or its content contradicts itself; the text starts with the file's name.
class DataError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file that was cut or is damaged: no other program or command reads more of it.
class DamagedFile : public DataError {
 public:
  using DataError::DataError;
};

/// The disk refused: full, not writable, gone. The text names the file and the operating system's reason.
class StorageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The run was asked to stop (Ctrl-C, SIGTERM, ...) and has saved a checkpoint.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The parts one after the other as text; doubles with up to 6 significant digits.
template <typename... Parts>
std::string concat(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return std::move(text).str();
}

/// Throws ArgumentError with the parts as its text unless the condition holds.
template <typename... Parts>
void require(bool holds, const Parts&... parts) {
  if (!holds) throw ArgumentError(concat(parts...));
}

}  // namespace fovea
