#include "fovea/tests/benchmarks/ours/request.hpp"

#include <cstdlib>
#include <sstream>

#include "fovea/core/base/error.hpp"

namespace fovea::bench {

Request::Request(const std::string& line) {
  std::istringstream words(line);
  words >> word_;
  for (std::string pair; words >> pair;) {
    const auto equals = pair.find('=');
    require(equals != std::string::npos, "request: '", pair, "' is no name=value.");
    fields_[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
}

std::string Request::text(const std::string& field) const {
  const auto found = fields_.find(field);
  require(found != fields_.end(), "request: '", word_, "' needs ", field, "=...");
  return found->second;
}

std::string Request::text(const std::string& field, const std::string& fallback) const {
  return fields_.contains(field) ? text(field) : fallback;
}

Index Request::count(const std::string& field) const { return static_cast<Index>(number(field)); }

Index Request::count(const std::string& field, Index fallback) const {
  return fields_.contains(field) ? count(field) : fallback;
}

double Request::number(const std::string& field) const {
  const std::string value = text(field);
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  require(end != value.c_str() && *end == '\0', "request: ", field, " is '", value, "', but must be a number.");
  return number;
}

}  // namespace fovea::bench
