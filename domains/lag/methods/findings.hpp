#pragma once
/// What every method that looks for lags is told and what it finds.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/datasets/series/series.hpp"

namespace fovea::lag::methods {

struct Link;

/// What a method is told.
struct LagSettings {
  std::vector<Index> lags;       ///< looked at, in steps, ascending, each >= 1 and < steps; never empty
  bool contemporaneous = false;  ///< lag 0 is looked at too, by methods that can
  std::vector<Index> targets;    ///< the effects, ascending; empty: every series
  double level = 0.05;           ///< of the false discovery rate, in (0, 1)
  /// What is held fixed: steps x columns, finite, such as a season's harmonics. Every test is conditional on them by
  /// the methods that can; none: no columns.
  Matrix<double> conditions = {};
  /// Whether the cause at t - lag may drive the effect at t; others are neither tested nor counted among the tests.
  /// Within a step a pair is left out where neither order is allowed. Empty: all.
  std::function<bool(Index cause, Index effect, Index lag)> allowed = {};
  std::vector<Link> required = {};        ///< every test of their effects is conditional on these
  bool products = true;                   ///< and other bent effects are looked for, by methods that can
  Index surrogates = 40;                  ///< of the table, on which methods that can check themselves; 0: none
  std::function<void(double)> told = {};  ///< how much of the search is done, in [0, 1], by methods that take long;
                                          ///< from any thread, never from two at once; may be empty
  Index lags_tried = 0;  ///< from which this table has chosen lags: p-values are multiplied by lags_tried / lags > 1
};

/// Tells LagSettings::told of the parts that are done.
class SearchMeter {
 public:
  SearchMeter(const LagSettings& settings, double parts) : told_(settings.told), parts_(parts) {}
  /// From any thread.
  void done(double parts) {
    if (!told_) return;
    const std::lock_guard lock(mutex_);
    done_ += parts;
    if (done_ - said_ < parts_ / 500) return;
    said_ = done_;
    told_(std::min(done_ / parts_, 1.0));
  }

 private:
  const std::function<void(double)>& told_;
  double parts_, done_ = 0, said_ = 0;
  std::mutex mutex_;
};

/// How the effect answers to its cause.
enum class EffectKind : unsigned char {
  steady,    ///< the same throughout the table: linear, or bent
  changing,  ///< its sign or size changes in time
  product,   ///< that of two causes, Link::with the other one
  variance   ///< the cause moves the size of the effect's variations, not its level
};

/// "steady", "changing", "product" or "variance".
inline std::string_view name_of(EffectKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"steady", "changing", "product", "variance"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// Which test a link's p-value is of, where a method has several (attention/row_tests.hpp).
enum class DecidingTest : unsigned char {
  only,     ///< the method's entry says which
  student,  ///< Student's t of the partial correlation
  robust,   ///< t with a variance for unequal and serially correlated products (White 1980; Newey & West 1987)
  ranks     ///< the weaker of both for normal scores of the values (van der Waerden 1952)
};

/// "", "Student t", "robust t" or "normal scores".
inline std::string_view name_of(DecidingTest test) {
  constexpr std::array<std::string_view, 4> kNames{"", "Student t", "robust t", "normal scores"};
  return kNames[static_cast<std::size_t>(test)];
}

/// One (cause, effect, lag) that was tested: does the cause at t - lag tell about the effect at t what everything else
/// that the method conditions on does not?
struct Link {
  Index cause = 0, effect = 0;  ///< columns of the table
  Index lag = 1;                ///< steps
  double strength = 0;          ///< signed, in [-1, 1]: the partial correlation, or what the method's entry says
  double statistic = 0;         ///< of the test: t, z or F as the method's entry says
  double p_value = 1;           ///< under "no partial effect"
  double q_value = 1;           ///< the least false discovery rate at which the link counts (Benjamini & Hochberg 1995,
                                ///< or the local rate as the method says)
  bool counts = false;          ///< by the method's default rule at LagSettings::level
  bool promised = false;        ///< it counts, and at most LagSettings::level of such links are false on average
  bool directed = true;         ///< false: at lag 0, and which of the two is the cause is not known
  EffectKind kind = EffectKind::steady;
  DecidingTest test = DecidingTest::only;
  bool bent = false;              ///< the test is that of a bent response, not of a monotone one
  Index with = -1, with_lag = 0;  ///< the other cause of a product, and its lag; -1: none
  double log10_p = kNan;          ///< of a p_value that is too_small(), from its statistic; NaN elsewhere
  double log10_q = kNan;          ///< the same of q_value
  bool self() const { return cause == effect; }
};

/// A double has fewer digits there, or is 0.
inline bool too_small(double probability) { return probability < std::numeric_limits<double>::min(); }

/// log10 of p_value and of q_value, also where these are too small for a double; -inf where a method does not say more.
inline double log10_p(const Link& link) { return std::isnan(link.log10_p) ? std::log10(link.p_value) : link.log10_p; }
inline double log10_q(const Link& link) { return std::isnan(link.log10_q) ? std::log10(link.q_value) : link.log10_q; }

/// Sets log10_q of those links of a family whose q_value is too_small(): Benjamini & Hochberg's times `factor`.
void add_small_q_values(const std::vector<Link*>& family, double factor);

/// What it finds.
struct Findings {
  std::vector<Link> links;         ///< every tested one, by effect, cause, lag
  std::vector<std::string> notes;  ///< sentences for the reader
};

/// The links that count, by q, then p, then effect, cause, lag.
std::vector<Link> counting_links(const Findings& findings);

/// For each (effect, cause) the one link that counts with the least p-value: "the" lag of a pair. By q as above.
std::vector<Link> strongest_lags(const Findings& findings);

}  // namespace fovea::lag::methods
