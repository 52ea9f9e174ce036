// What the registered examples of modifiers that shift or scale scores do to one pair.

#include <algorithm>
#include <cmath>

#include "fovea/tests/support/plain_attention.hpp"

namespace fovea::test {
namespace {

template <typename Modify>
PlainModifier change(Modify modify) {
  return {modify, {}};
}

double query_time(const PlainPair& p) { return 0.37 * static_cast<double>((5 * p.i) % 11); }
double key_time(const PlainPair& p) { return 0.29 * static_cast<double>((3 * p.j) % 13); }
double age(const PlainPair& p) { return std::abs(query_time(p) - key_time(p)); }

double steps(const PlainPair& p) { return static_cast<double>((p.j - p.first_key) - (p.i - p.first_query)); }
double head(const PlainPair& p) { return static_cast<double>(p.head); }

double pair_bias_of(Index of_head, const PlainPair& p) {
  return 0.1 * static_cast<double>((3 * of_head + 2 * p.i + 5 * p.j) % 7) - 0.3;
}

double relative_position_bias(const PlainPair& p) {
  const Index entry = static_cast<Index>(std::clamp(steps(p), -4.0, 4.0)) + 4;
  return 0.2 * static_cast<double>((2 * p.head + 3 * entry) % 5) - 1;
}

double feature_bias(const PlainPair& p) {
  const double first = 0.8 - 0.5 * 2 * head(p), second = first - 0.5;
  return first * static_cast<double>((p.i + 2 * p.j) % 7) / 10 + second / (1 + std::abs(steps(p)));
}

double power_law(const PlainPair& p) {
  return std::exp(0.3 - 0.2 * head(p)) * std::log(1 + age(p) / std::exp(-0.5 + 0.4 * head(p)));
}

double span_bias(const PlainPair& p) {
  const double span = std::exp(0.9 - 0.3 * head(p));
  return std::log(std::clamp((3 + span - std::abs(steps(p))) / 3, 0.0, 1.0));
}

}  // namespace

const PlainTable& plain_score_changes() {
  static const PlainTable table{
      {"distance_bias",
       change([](double s, const PlainPair& p) { return s - std::exp(-1.5 + 0.6 * head(p)) * std::abs(steps(p)); })},
      {"fixed_pair_bias", change([](double s, const PlainPair& p) { return s + pair_bias_of(0, p); })},
      {"key_norm_clipping",
       {[](double s, const PlainPair&) { return s; },
        [](const Row& key, Index of_head) {
          const Row clipped = key * std::min(1.0, std::exp(-0.4 + 0.2 * static_cast<double>(of_head)) / key.norm());
          return clipped;
        }}},
      {"key_weights", change([](double s, const PlainPair& p) {
         return p.j % 7 == 5 ? kMasked<double> : s + std::log(0.25 + 0.5 * static_cast<double>((3 * p.j) % 6));
       })},
      {"learned_key_weights",
       change([](double s, const PlainPair& p) { return s + 0.2 * static_cast<double>((5 * p.j) % 9) - 0.7; })},
      {"learned_span", change([](double s, const PlainPair& p) { return s + span_bias(p); })},
      {"listed_bias", change([](double s, const PlainPair& p) {
         const bool listed = p.i % 5 != 4 && (2 * p.i + p.j) % 3 < 2;
         return listed ? s + pair_bias_of(p.head, p) : kMasked<double>;
       })},
      {"pair_bias", change([](double s, const PlainPair& p) { return s + pair_bias_of(p.head, p); })},
      {"pair_features", change([](double s, const PlainPair& p) { return s + feature_bias(p); })},
      {"power_law_decay", change([](double s, const PlainPair& p) { return s - power_law(p); })},
      {"power_law_decay_past", change([](double s, const PlainPair& p) {
         return key_time(p) > query_time(p) ? kMasked<double> : s - power_law(p);
       })},
      {"relative_position", change([](double s, const PlainPair& p) { return s + relative_position_bias(p); })},
      {"soft_cap", change([](double s, const PlainPair& p) {
         const double cap = std::exp(-0.3 + 0.4 * head(p));
         return s == kMasked<double> ? s : cap * std::tanh(s / cap);
       })},
      {"temperature", change([](double s, const PlainPair&) { return s / std::exp(-0.4); })},
      {"time_decay", change([](double s, const PlainPair& p) { return s - std::exp(-0.7) * age(p); })},
      {"time_decay_by_class", change([](double s, const PlainPair& p) {
         const double starts[] = {0.4, -0.8, 1.1};
         const double log_half_life = starts[(p.j + p.j / 5) % 3] - 0.3 * head(p);
         return key_time(p) > query_time(p) ? kMasked<double> : s - std::log(2) / std::exp(log_half_life) * age(p);
       })},
      {"time_decay_half_life",
       change([](double s, const PlainPair& p) { return s - std::log(2) / std::exp(0.4 - 0.3 * head(p)) * age(p); })},
      {"time_decay_past", change([](double s, const PlainPair& p) {
         return key_time(p) > query_time(p) ? kMasked<double> : s - std::exp(-0.7 + 0.5 * head(p)) * age(p);
       })},
  };
  return table;
}

}  // namespace fovea::test
