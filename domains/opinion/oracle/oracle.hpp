#pragma once
/// The oracle: every answer about attending crowds that is known beforehand, asked of the models themselves.
/// Statements and derivations: theory.md, entries E1 to E15.

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "fovea/core/base/random.hpp"
#include "fovea/core/config/config.hpp"
#include "fovea/core/data/results.hpp"

namespace fovea::opinion::oracle {

class OracleSheet;

/// One statement with a known answer, and how it is measured: a line of oracle.inl.
struct OracleTarget {
  std::string_view entry;      ///< "E5": its number in theory.md
  std::string_view name;       ///< snake_case, unique
  std::string_view statement;  ///< one line: what is known
  std::string_view source;     ///< author and year, or "derived in ..." with the document
  void (*measure)(OracleSheet& sheet);
};

/// In the order of their entries.
std::span<const OracleTarget> oracle_targets();

/// Those whose entry or name is among `chosen` ("E5", "folds"), in the table's order; nothing chosen: all. Throws
/// ArgumentError for a word that is neither, with the nearest that is.
std::vector<const OracleTarget*> chosen_targets(const std::vector<std::string>& chosen);

/// What a target's measurement reads and where it writes.
class OracleSheet {
 public:
  OracleSheet(const OracleTarget& target, Results& results, const Config& config, const Random& random,
              std::function<void(double)> progress)
      : target_(target), results_(results), config_(config), random_(random.stream(target.name)), progress_(progress) {}

  /// A line of the table: name is put behind the target's entry ("E5_" + name).
  void compare(const std::string& name, const std::string& meaning, double predicted, double measured,
               Tolerance tolerance);
  /// A yes-or-no statement: 1 predicted.
  void claim(const std::string& name, const std::string& meaning, bool holds);

  Results& results() { return results_; }  ///< for curves, figures and notes; names begin with the entry in lower case
  const Config& config() const { return config_; }
  const Random& random() const { return random_; }         ///< a stream of this target's own
  void progress(double fraction) { progress_(fraction); }  ///< within this target, in [0, 1]

 private:
  const OracleTarget& target_;
  Results& results_;
  const Config& config_;
  Random random_;
  std::function<void(double)> progress_;
};

#define FOVEA_ORACLE(entry, name, statement, source, measure) void measure(OracleSheet& sheet);
#include "fovea/domains/opinion/oracle/oracle.inl"
#undef FOVEA_ORACLE

}  // namespace fovea::opinion::oracle
