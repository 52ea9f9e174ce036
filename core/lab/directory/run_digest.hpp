#pragma once
/// What a list of runs shows of one of them. It stands in the run's manifest, so that a thousand runs are listed
/// without a look at their results.

#include <cstddef>
#include <string>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/results.hpp"

namespace fovea {

/// A headline, or one of few values of it; NaN stands for what there is not.
struct DigestNumber {
  std::string label;  ///< with its place: "Transition (branch = cooling)"
  std::string variable, units;
  double value = kNan, error = kNan, predicted = kNan;
  double low = kNan, high = kNan;  ///< of a sweep's many values, which have no value of their own
  std::size_t count = 1;           ///< how many values there are: not of points that have none
  bool least = false;              ///< as HeadlineValue::least
  std::string text() const;        ///< "0.00896 ± 0.00003", "0.0089 to 0.0458"
  double order() const;            ///< by which it is sorted
};

/// A key that differs from its default.
struct DigestKey {
  std::string key, value, standard;
  bool swept = false;        ///< the value is the list of the sweep
  std::string text() const;  ///< "agents.count = 300", "speed in {0.1, 0.2}"
};

struct RunDigest {
  std::string title, verdict;
  std::string picture;  ///< the first figure, relative to the run directory; empty: none
  std::size_t checks = 0, failed_checks = 0;
  bool preview = false;
  std::vector<DigestNumber> numbers = {};
  std::vector<DigestKey> keys = {};
};

/// Of finished results, labelled (run_point.hpp).
RunDigest digest_of(const Results& results);
/// The keys of a config that differ from `defaults`, both as TOML.
std::vector<DigestKey> changed_keys(const std::string& resolved, const std::string& defaults);

std::string to_json(const RunDigest& digest);
RunDigest parse_digest(const std::string& json);  ///< throws what nlohmann::json throws

}  // namespace fovea
