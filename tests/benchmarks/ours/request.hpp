#pragma once
/// One line of the conversation between scripts/bench and this program: a word, then name=value pairs.

#include <map>
#include <string>

#include "fovea/core/base/matrix.hpp"

namespace fovea::bench {

class Request {
 public:
  /// "run seconds=0.3" has the word "run" and one field.
  explicit Request(const std::string& line);

  const std::string& word() const { return word_; }
  /// Throw ArgumentError where the field is missing and there is no fallback, or is no number.
  std::string text(const std::string& field) const;
  std::string text(const std::string& field, const std::string& fallback) const;
  Index count(const std::string& field) const;
  Index count(const std::string& field, Index fallback) const;
  double number(const std::string& field) const;

 private:
  std::string word_;
  std::map<std::string, std::string> fields_;
};

}  // namespace fovea::bench
