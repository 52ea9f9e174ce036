// What single modifiers do where the answer is known, and what they refuse.

#include "fovea/core/attention.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/tests/support/gradient_check.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A few roundings of numbers of size 1, and logarithms of parameters that were rounded: 1e-16 x 10.
constexpr double kRounding = 1e-15;
// Sums over a few hundred pairs of size 1.
constexpr double kSumRounding = 1e-12;

using Modifier = std::shared_ptr<const ScoreModifier<double>>;

Vector<double> times(std::initializer_list<double> entries) {
  Vector<double> made(static_cast<Index>(entries.size()));
  std::copy(entries.begin(), entries.end(), made.data());
  return made;
}

/// One set and head: `count` queries from position `first` on against all keys.
TileRange rows_against(Index first, Index count, Index keys) { return {0, first, count, 0, keys, nullptr, 0, 0}; }

/// The scores of one query at a position, all of them `before`, after the modifier.
template <typename Real = double>
std::vector<Real> modified(const ScoreModifier<Real>& modifier, const std::vector<Real>& theta, Index position,
                           std::vector<Real> before) {
  ScoreTile<Real> tile;
  static_cast<TileRange&>(tile) = rows_against(position, 1, static_cast<Index>(before.size()));
  tile.scores = before.data();
  tile.stride = tile.key_count;
  modifier.apply(tile, theta);
  return before;
}

/// A problem with one modifier.
Packed problem_with(Modifier modifier, std::vector<double> theta, Index queries = 9, Index keys = 12, Index heads = 2) {
  Packed p = packed_problem({{queries, keys}}, heads, 3, 2, 91);
  set_score(p, score_entry("dot_product"));
  p.spec.modifiers = {{std::move(modifier), std::move(theta)}};
  return p;
}

Matrix<double> outputs_with(Modifier modifier, std::vector<double> theta) {
  const Packed p = problem_with(std::move(modifier), std::move(theta));
  return attend(p.queries, p.keys, p.values, p.spec).outputs;
}

std::string modifier_refusal(Modifier modifier, std::size_t parameters) {
  return support::refusal_of<ArgumentError>(
      [&] { outputs_with(std::move(modifier), std::vector<double>(parameters, 0.0)); });
}

}  // namespace

TEST_CASE("parameters at the end of their range change no bit", "[attention][modifier][limit]") {
  const Vector<double> t_query = Vector<double>::Random(9), t_key = Vector<double>::Random(12);
  const Matrix<double> plain = outputs_with(temperature<double>(), {0});
  const TimeDecayOptions half_life{Sharing::all_heads, DecayParameter::half_life, false};
  CHECK(test::same_bits(outputs_with(time_decay<double>(t_query, t_key), {-kInfinity}), plain));
  CHECK(test::same_bits(outputs_with(time_decay<double>(t_query, t_key, half_life), {kInfinity}), plain));
  CHECK(test::same_bits(outputs_with(power_law_decay<double>(t_query, t_key), {-kInfinity, 0}), plain));
  CHECK(test::same_bits(outputs_with(power_law_decay<double>(t_query, t_key), {0, kInfinity}), plain));
  CHECK(test::same_bits(outputs_with(distance_bias<double>(), {-kInfinity, -kInfinity}), plain));
  CHECK(test::same_bits(outputs_with(relative_position<double>(2), std::vector<double>(10, 0.0)), plain));
  CHECK(test::same_bits(outputs_with(pair_bias<double>({0, 9}, {0, 12}), std::vector<double>(216, 0.0)), plain));
  CHECK(test::same_bits(outputs_with(fixed_pair_bias<double>({Matrix<double>::Zero(9, 12)}), {}), plain));
  CHECK(test::same_bits(outputs_with(learned_span<double>(1, 12), {kInfinity, std::log(11)}), plain));
  CHECK(test::same_bits(outputs_with(soft_cap<double>(), {kInfinity}), plain));
}

TEST_CASE("after a half-life a weight is halved, after two it is a quarter", "[attention][modifier][limit]") {
  const auto decay =
      time_decay<double>(times({7}), times({7, 4, 10, 1}), {Sharing::all_heads, DecayParameter::half_life, false});
  const auto scores = modified(*decay, {std::log(3)}, 0, {0, 0, 0, 0});
  const double expected[] = {1, 0.5, 0.5, 0.25};
  for (std::size_t j = 0; j < 4; ++j) CHECK(std::abs(std::exp(scores[j]) - expected[j]) < kRounding);
}

TEST_CASE("a power law has a heavier tail than an exponential: known weights at ages 0, 4 and 28",
          "[attention][modifier][limit]") {
  const Vector<double> now = times({30}), keys = times({30, 26, 2});
  const auto power = modified(*power_law_decay<double>(now, keys), {std::log(2), std::log(4)}, 0, {0, 0, 0});
  const auto exponential = modified(*time_decay<double>(now, keys), {std::log(0.5)}, 0, {0, 0, 0});
  const double of_power[] = {1, 1.0 / 4, 1.0 / 64};  // (1 + age / 4)^-2
  const double of_exponential[] = {1, std::exp(-2), std::exp(-14)};
  for (std::size_t j = 0; j < 3; ++j) {
    CHECK(std::abs(std::exp(power[j]) - of_power[j]) < kRounding);
    CHECK(std::abs(std::exp(exponential[j]) - of_exponential[j]) < kRounding);
  }
}

TEST_CASE("with past_only a query never sees the future: weights, gradients and bits", "[attention][modifier][limit]") {
  const Vector<double> t_query = times({3, 0, 5, 2, 8, 1, 4, 4, -1}),
                       t_key = times({2, 7, 0, 3, 3, 9, 1, 5, 6, 4, 8, 2});
  const Modifier decays[] = {time_decay<double>(t_query, t_key, {Sharing::per_head, DecayParameter::rate, true}),
                             power_law_decay<double>(t_query, t_key, {Sharing::all_heads, true})};
  for (const Modifier& decay : decays) {
    Packed p = problem_with(decay, {-1, 0.5});
    const auto forward = attend(p.queries, p.keys, p.values, p.spec);
    std::vector<Index> rows(9);
    std::iota(rows.begin(), rows.end(), Index(0));
    const auto weights = attention_weights(p.queries, p.keys, p.spec, forward, 1, rows);
    for (Index i = 0; i < 9; ++i)
      for (Index j = 0; j < 12; ++j) CHECK((weights(i, j) > 0) == (t_key[j] <= t_query[i]));
    p.output_gradient.bottomRows(6).setZero();  // a loss of queries at times 3, 0 and 5
    const auto gradients = attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient);
    for (const Index late : {1, 5, 8, 10}) {
      CHECK(gradients.keys.row(late).cwiseAbs().maxCoeff() == 0);
      CHECK(gradients.values.row(late).cwiseAbs().maxCoeff() == 0);
      p.keys.row(late).setConstant(-3);
      p.values.row(late).setConstant(100);
    }
    const auto changed = attend(p.queries, p.keys, p.values, p.spec);
    CHECK(test::same_bits<double>(changed.outputs.topRows(3), forward.outputs.topRows(3)));
    CHECK(forward.outputs.row(8).cwiseAbs().maxCoeff() == 0);  // before all keys
  }
}

TEST_CASE("times in order leave out the future keys of a range, and bound the scores by the age of the nearest",
          "[attention][modifier]") {
  const Index n = 1500;
  const Vector<double> time = Vector<double>::LinSpaced(n, 0, static_cast<double>(n - 1));
  const auto decay = time_decay<double>(time, time, {Sharing::all_heads, DecayParameter::rate, true});
  const std::vector<double> rate{std::log(0.5)};
  for (const Index query : {0, 14, 63, 64, 700, 1486}) {
    const KeySpan seen = decay->visible(rows_against(query, 14, n));
    CHECK(seen.begin == 0);
    CHECK(seen.end == query + 14);
  }
  const double half = exponential(rate[0]);
  TileRange range = rows_against(1000, 14, 512);
  CHECK(decay->bound(range, 3.0, rate) == 3 - (1000 - 511) * half);
  range.first_key = 77;
  range.key_count = 130;  // not where blocks begin or end
  CHECK(decay->bound(range, 3.0, rate) == 3 - (1000 - 206) * half);
  range.first_key = 1014;
  CHECK(decay->bound(range, 3.0, rate) == kMasked<double>);
  CHECK(decay->visible(range).empty());
  const auto both_ways = time_decay<double>(time, time);
  CHECK(both_ways->bound(range, 3.0, rate) == 3 - half);
}

TEST_CASE("times in any order: a range is cut to the first and the last key that some query sees",
          "[attention][modifier][twin]") {
  Vector<double> t_key(1000);
  for (Index j = 0; j < 1000; ++j)
    t_key[j] = static_cast<double>((j / 90 * 7) % 11);  // 90 keys at one time, then others
  const Vector<double> t_query = times({4, 0, 10, 2, 6, -1});
  const auto decay = time_decay<double>(t_query, t_key, {Sharing::all_heads, DecayParameter::rate, true});
  const auto rate = std::vector<double>{0};
  for (Index query = 0; query < 6; ++query)
    for (Index first = 0; first < 1000; first += 37)
      for (const Index count : {1, 64, 150, 500, 1000}) {
        TileRange range = rows_against(query, 1, std::min(count, 1000 - first));
        range.first_key = first;
        KeySpan expected{0, range.key_count};
        double age = kInfinity;
        for (Index j = 0; j < range.key_count; ++j)
          if (t_key[range.key(j)] <= t_query[query]) age = std::min(age, t_query[query] - t_key[range.key(j)]);
        while (!expected.empty() && t_key[range.key(expected.begin)] > t_query[query]) ++expected.begin;
        while (!expected.empty() && t_key[range.key(expected.end - 1)] > t_query[query]) --expected.end;
        const KeySpan found = decay->visible(range);
        CHECK(found.empty() == expected.empty());
        if (!expected.empty()) CHECK((found.begin == expected.begin && found.end == expected.end));
        const double bound = decay->bound(range, 0, rate);  // of blocks with two times, the later one counts
        CHECK(bound >= (age == kInfinity ? kMasked<double> : -age));
        CHECK(bound == decay->bound(range, 1, rate) - 1);
      }
}

TEST_CASE("a head without a pair in its span is known to be masked", "[attention][modifier]") {
  const auto span = learned_span<double>(4, 500);
  const TileRange far = rows_against(1000, 14, 512);
  CHECK(span->bound(far, 1.0, std::vector<double>{std::log(484)}) == kMasked<double>);
  CHECK(span->bound(far, 1.0, std::vector<double>{std::log(487)}) < 1);
  CHECK(span->bound(far, 1.0, std::vector<double>{std::log(490)}) >= 1);
  CHECK(span->visible(rows_against(1000, 14, 1500)).begin == 1000 - 504);
  CHECK(span->visible(rows_against(900, 14, 1500)).end == 913 + 505);
}

TEST_CASE("ALiBi's slopes are those of the paper", "[attention][modifier][limit]") {
  std::vector<double> halves;
  for (double slope = 0.5; slope >= 1.0 / 256; slope /= 2) halves.push_back(slope);
  CHECK(alibi_slopes(8) == halves);
  CHECK(alibi_slopes(1) == std::vector<double>{1.0 / 256});
  CHECK(alibi_slopes(4) == std::vector<double>{1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 256});
  CHECK(alibi_slopes(3) == std::vector<double>{1.0 / 16, 1.0 / 256, 1.0 / 4});
  const std::vector<double> twelve = alibi_slopes(12), sixteen = alibi_slopes(16);
  for (std::size_t h = 0; h < 8; ++h) CHECK(twelve[h] == halves[h]);
  for (std::size_t h = 0; h < 4; ++h) CHECK(twelve[8 + h] == sixteen[2 * h]);
  for (std::size_t h = 0; h < 16; ++h)
    CHECK(std::abs(sixteen[h] / std::pow(2, -0.5 * static_cast<double>(h + 1)) - 1) < 10 * kRounding);
  const auto scores = modified(*distance_bias<double>(), {0}, 2, {5, 5, 5, 5, 5});
  CHECK(scores == std::vector<double>{3, 4, 5, 4, 3});
}

TEST_CASE("a relative position beyond reach has the bias of the reach", "[attention][modifier][limit]") {
  const auto bias = relative_position<double>(1);
  CHECK(modified(*bias, {10, 20, 30}, 2, {0, 0, 0, 0, 0, 0}) == std::vector<double>{10, 10, 20, 30, 30, 30});
  CHECK(modified(*bias, {10, 20, 30}, 9, {0, 0}) == std::vector<double>{10, 10});
  CHECK(modified(*relative_position<double>(0), {7}, 1, {0, 1, 2}) == std::vector<double>{7, 8, 9});
  CHECK(modified(*relative_position<double>(1000), std::vector<double>(2001, 4), 1, {0, 1, 2}) ==
        std::vector<double>{4, 5, 6});
}

TEST_CASE("a span halves a weight in the middle of its ramp and ends it at the ramp's end",
          "[attention][modifier][limit]") {
  const auto scores = modified(*learned_span<double>(4, 100), {std::log(2)}, 0, std::vector<double>(8, 0.0));
  const double expected[] = {1, 1, 1, 0.75, 0.5, 0.25, 0, 0};
  for (std::size_t j = 0; j < 8; ++j) CHECK(std::abs(std::exp(scores[j]) - expected[j]) < kRounding);
  CHECK(scores[0] == 0);
  CHECK(scores[6] == kMasked<double>);
}

TEST_CASE("beyond its longest a span stays there and has gradient 0", "[attention][modifier][limit]") {
  const Modifier span = learned_span<double>(3, 2, Sharing::all_heads);
  const Packed p = problem_with(span, {1});  // e > 2
  const auto forward = attend(p.queries, p.keys, p.values, p.spec);
  CHECK(test::same_bits(forward.outputs, outputs_with(span, {5})));
  const auto gradients = attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient);
  CHECK(gradients.modifier_theta[0][0] == 0);
}

namespace {

/// The largest relative error of cap tanh(s / cap) with cap = 1, in units of epsilon.
template <typename Real>
double worst_tangent() {
  std::vector<Real> x;
  for (double size = 1e-30; size < 30; size *= 1.003) x.push_back(static_cast<Real>(size));
  for (double size = 0.3; size < 0.4; size += 1e-5) x.push_back(static_cast<Real>(-size));  // where the formulas meet
  const std::vector<Real> found = modified(*soft_cap<Real>(), {Real(0)}, 0, x);
  double worst = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const long double expected = std::tanh(static_cast<long double>(x[k]));
    worst = std::max(worst, std::abs(static_cast<double>((static_cast<long double>(found[k]) - expected) / expected)));
  }
  return worst / static_cast<double>(std::numeric_limits<Real>::epsilon());
}

}  // namespace

TEST_CASE("soft cap: tanh to the stated units in the last place, small scores stay, large ones end at the cap",
          "[attention][modifier][limit]") {
  INFO("double " << worst_tangent<double>() << ", float " << worst_tangent<float>());
  CHECK(worst_tangent<double>() < 5);
  CHECK(worst_tangent<float>() < 5);
  const auto scores = modified(*soft_cap<double>(), {std::log(50)}, 0, {1e-5, -1e-5, 0, 1e30, -1e30, 50});
  CHECK(std::abs(scores[0] / 1e-5 - 1) < 2e-14);  // (s / cap)^2 / 3 = 1.3e-14
  CHECK(scores[1] == -scores[0]);
  CHECK(scores[2] == 0);
  CHECK(std::abs(scores[3] - 50) < 50 * kRounding);
  CHECK(scores[4] == -scores[3]);
  CHECK(std::abs(scores[5] - 50 * std::tanh(1.0)) < 50 * kRounding);
}

TEST_CASE("one parameter for all heads has the outputs of equal ones, and their summed gradient",
          "[attention][modifier][property]") {
  const Vector<double> t_query = times({3, 0, 5, 2, 8, 1, 4, 4, 9}),
                       t_key = times({2, 7, 0, 3, 3, 9, 1, 5, 6, 4, 8, 2});
  const std::function<Modifier(Sharing)> all[] = {
      [](Sharing sharing) { return temperature<double>(sharing); },
      [&](Sharing sharing) {
        return time_decay<double>(t_query, t_key, {sharing, DecayParameter::rate, false});
      },
      [&](Sharing sharing) {
        return time_decay<double>(t_query, t_key, {sharing, DecayParameter::half_life, true});
      },
      [&](Sharing sharing) {
        return power_law_decay<double>(t_query, t_key, {sharing, false});
      },
      [](Sharing sharing) { return distance_bias<double>(sharing); },
      [](Sharing sharing) { return relative_position<double>(2, sharing); },
      [](Sharing sharing) { return learned_span<double>(3, 50, sharing); },
      [](Sharing sharing) { return soft_cap<double>(sharing); }};
  for (const auto& make : all) {
    const Modifier shared = make(Sharing::all_heads), each = make(Sharing::per_head);
    const std::size_t count = shared->parameter_count(2);
    REQUIRE(each->parameter_count(2) == 2 * shared->parameter_count(2));
    std::vector<double> theta, twice;
    for (std::size_t k = 0; k < count; ++k) theta.push_back(0.3 - 0.1 * static_cast<double>(k));
    for (int head = 0; head < 2; ++head) twice.insert(twice.end(), theta.begin(), theta.end());
    const Packed p = problem_with(shared, theta), q = problem_with(each, twice);
    const auto forward = attend(p.queries, p.keys, p.values, p.spec);
    CHECK(test::same_bits(forward.outputs, attend(q.queries, q.keys, q.values, q.spec).outputs));
    const auto sum = attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient);
    const auto parts = attend_backward(q.queries, q.keys, q.values, q.spec, forward, q.output_gradient);
    for (std::size_t k = 0; k < count; ++k) {
      const double expected = parts.modifier_theta[0][k] + parts.modifier_theta[0][k + count];
      CHECK(std::abs(sum.modifier_theta[0][k] - expected) < kSumRounding);
      CHECK(parts.modifier_theta[0][k] != parts.modifier_theta[0][k + count]);
    }
  }
}

TEST_CASE("a learned pair bias has the outputs of the fixed one, and its gradient sums to 0 over the keys of a query",
          "[attention][modifier][property]") {
  Matrix<double> bias = random_matrix(9, 12, 93);
  bias(3, 4) = kMasked<double>;
  std::vector<double> theta;
  for (int head = 0; head < 2; ++head) theta.insert(theta.end(), bias.data(), bias.data() + bias.size());
  const Packed p = problem_with(pair_bias<double>({0, 9}, {0, 12}), theta);
  const auto forward = attend(p.queries, p.keys, p.values, p.spec);
  CHECK(test::same_bits(forward.outputs, outputs_with(fixed_pair_bias<double>({bias}), {})));
  CHECK(attention_weights(p.queries, p.keys, p.spec, forward, 1, {3})(0, 4) == 0);
  const auto gradients = attend_backward(p.queries, p.keys, p.values, p.spec, forward, p.output_gradient);
  const Eigen::Map<const Matrix<double>> by_query(gradients.modifier_theta[0].data(), 18, 12);
  CHECK(by_query.rowwise().sum().cwiseAbs().maxCoeff() < kSumRounding);
  CHECK(by_query(3, 4) == 0);
  CHECK(by_query.cwiseAbs().rowwise().maxCoeff().minCoeff() > 0);
}

TEST_CASE("modifiers of scores say what they cannot be, word for word", "[attention][modifier]") {
  const Vector<double> nine = Vector<double>::Zero(9), twelve = Vector<double>::Zero(12);
  CHECK(support::refusal_of<ArgumentError>([&] {
          time_decay<double>(nine, times({0, kInfinity}));
        }) == "time_decay: t_key[1] is inf, but must be finite, and at most 4.49423e+307 in size.");
  CHECK(support::refusal_of<ArgumentError>([&] { power_law_decay<double>(times({std::nan("")}), nine); }) ==
        "power_law_decay: t_query[0] is nan, but must be finite, and at most 4.49423e+307 in size.");
  CHECK(modifier_refusal(power_law_decay<double>(nine, nine), 2) ==
        "power_law_decay: there are times for 9 queries and 9 keys, but attend() got 9 queries and 12 keys; each needs "
        "exactly one time.");
  CHECK(modifier_refusal(power_law_decay<double>(nine, twelve), 1) ==
        "attend: modifier 0 got 1 parameters, but has 2.");
  CHECK(support::refusal_of<ArgumentError>([] { alibi_slopes(0); }) ==
        "alibi_slopes: heads = 0, but must be at least 1.");
  CHECK(support::refusal_of<ArgumentError>([] { relative_position<double>(-1); }) ==
        "relative_position: reach = -1, but must be from 0 to 1099511627776; the table has 2 reach + 1 entries.");
  CHECK(support::refusal_of<ArgumentError>([] { learned_span<double>(0, 5); }) ==
        "learned_span: ramp = 0, but must be > 0 and at most 1.09951e+12; over that many positions a weight falls to "
        "0.");
  CHECK(support::refusal_of<ArgumentError>([] { learned_span<double>(1, kInfinity); }) ==
        "learned_span: longest = inf, but must be from 0 to 1.09951e+12; it is the largest span of a head.");
  CHECK(support::refusal_of<ArgumentError>([] { pair_features<double>(nullptr); }) ==
        "pair_features: there is no PairFeatures object; pass one.");
  CHECK(support::refusal_of<ArgumentError>([] {
          pair_bias<double>({0, 3}, {0, 1, 2});
        }) == "pair_bias: there are 2 query_offsets but 3 key_offsets; each set needs both.");
  CHECK(support::refusal_of<ArgumentError>([] {
          pair_bias<double>({0, 3, 2}, {0, 1, 2});
        }) == "pair_bias: query_offsets must start at 0 and must not fall; one set of N rows is {0, N}.");
  CHECK(modifier_refusal(pair_bias<double>({0, 4, 9}, {0, 5, 12}), 2 * (20 + 35)) ==
        "pair_bias: there are matrices for 2 sets, but attend() got 1.");
  CHECK(modifier_refusal(fixed_pair_bias<double>({Matrix<double>::Zero(9, 11)}), 0) ==
        "fixed_pair_bias: the matrix of set 0 is 9 x 11, but attend() got 9 queries and 12 keys in it.");
  CHECK(support::refusal_of<ArgumentError>(
            [] { fixed_pair_bias<double>({Matrix<double>::Constant(1, 2, kInfinity)}); }) ==
        "fixed_pair_bias: the matrix of set 0 has inf at (0, 0), but must have numbers of at most 4.49423e+307; -inf "
        "forbids the pair.");
}
