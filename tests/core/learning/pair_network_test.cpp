#include "fovea/core/learning.hpp"
#include "fovea/tests/support/odd_sum.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {
namespace {

constexpr double kPairTwin = 1e-13;  // sums of tens of terms of size 1
constexpr double kPairFloat = 3e-6;  // the same in float, with gelu to 1e-7
const std::vector<Index> kPairSets{0, 3, 3, 4, 24, 61, 63};

template <typename Real>
Matrix<Real> pair_numbers(Index rows, Index columns, std::uint64_t salt) {
  const Random random = Random(salt).stream("pair network");
  Matrix<Real> numbers(rows, columns);
  for (Index k = 0; k < numbers.size(); ++k)
    numbers.data()[k] = static_cast<Real>(2 * random.uniform(static_cast<std::uint64_t>(k)) - 1);
  return numbers;
}

template <typename Real>
struct PairNetExample {
  std::vector<Matrix<Real>> weights, biases;
  explicit PairNetExample(const std::vector<Index>& widths) {
    for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
      weights.push_back(pair_numbers<double>(widths[l], widths[l + 1], 2 * l).template cast<Real>());
      biases.push_back(pair_numbers<double>(1, widths[l + 1], 2 * l + 1).template cast<Real>());
    }
  }
  std::vector<PairLayer<Real>> layers(Tape<Real>& tape) const {
    std::vector<PairLayer<Real>> result;
    for (std::size_t l = 0; l < weights.size(); ++l)
      result.push_back({tape.variable(weights[l]), tape.variable(biases[l])});
    return result;
  }
  /// One pair by plain loops.
  Matrix<double> plain(Matrix<double> x) const {
    for (std::size_t l = 0; l < weights.size(); ++l) {
      x = x * weights[l].template cast<double>() + biases[l].template cast<double>();
      if (l + 1 < weights.size())
        for (Index c = 0; c < x.size(); ++c) x.data()[c] *= 0.5 * std::erfc(-x.data()[c] / std::sqrt(2.0));
    }
    return x;
  }
};

/// Three features that are the same both ways.
double pair_feature(Index i, Index j, Index f) {
  return std::sin(0.7 * static_cast<double>(i + j) + static_cast<double>(f)) +
         0.1 * static_cast<double>(f) * std::abs(static_cast<double>(i - j));
}
template <typename Real>
PairInputs<Real> computed_features() {
  return {3, [](std::span<const TokenPair> pairs, Real* features, Index stride) {
            for (std::size_t p = 0; p < pairs.size(); ++p)
              for (Index f = 0; f < 3; ++f)
                features[f * stride + static_cast<Index>(p)] =
                    static_cast<Real>(pair_feature(pairs[p].first, pairs[p].second, f));
          }};
}

struct NetOutcome {
  std::vector<double> theta;
  std::vector<std::vector<double>> gradients;
};
template <typename Real>
NetOutcome run_pair_net(const PairNetExample<Real>& net, const TokenPairs& pairs) {
  Tape<Real> tape;
  tape.begin(nullptr, {});
  const auto layers = net.layers(tape);
  const Variable<Real> y = pair_network<Real>(pairs, computed_features<Real>(), layers);
  NetOutcome outcome{{y.data(), y.data() + y.size()}, {}};
  tape.backward(fovea::test::odd_sum(y));
  for (const PairLayer<Real>& layer : layers)
    for (const Variable<Real>& v : {layer.weight, layer.bias})
      outcome.gradients.emplace_back(v.gradient(), v.gradient() + v.size());
  return outcome;
}

template <typename Real>
double worst_against_plain(const TokenPairs& pairs) {
  const PairNetExample<Real> net({3, 64, 20, 5});
  const NetOutcome found = run_pair_net(net, pairs);
  std::vector<TokenPair> all(pairs.rows());
  pairs.read(0, all);
  double worst = 0;
  std::vector<int> met(pairs.entries(), 0);
  for (const TokenPair& pair : all) {
    Matrix<double> x(1, 3);
    for (Index f = 0; f < 3; ++f) x(0, f) = pair_feature(pair.first, pair.second, f);
    const Matrix<double> y = net.plain(x);
    for (const Index entry : {pair.entry, pair.mirror}) {
      met[entry] = 1;
      for (Index h = 0; h < 5; ++h)
        worst = std::max(worst, std::abs(found.theta[h * pairs.entries() + entry] - y(0, h)));
    }
  }
  CHECK(std::accumulate(met.begin(), met.end(), Index(0)) == pairs.entries());
  return worst;
}

std::shared_ptr<const NeighbourLists> every_third() {
  auto lists = std::make_shared<NeighbourLists>();
  lists->offsets.push_back(0);
  for (std::size_t b = 0; b + 1 < kPairSets.size(); ++b)
    for (Index i = kPairSets[b]; i < kPairSets[b + 1]; ++i) {
      for (Index j = kPairSets[b]; j < kPairSets[b + 1] && i % 4 != 1; ++j)
        if ((i + j) % 3 == 0) lists->keys.push_back(j);
      lists->offsets.push_back(static_cast<Index>(lists->keys.size()));
    }
  return lists;
}

TEST_CASE("a pair network gives what plain loops give, for all pairs, half of them and listed ones",
          "[learning][pairs][twin]") {
  for (const TokenPairs& pairs :
       {TokenPairs::all(kPairSets), TokenPairs::symmetric(kPairSets), TokenPairs::listed(every_third())}) {
    CHECK(worst_against_plain<double>(pairs) < kPairTwin * 10);
    CHECK(worst_against_plain<float>(pairs) < kPairFloat * 10);
  }
}

TEST_CASE("rows of pairs are read the same from any place", "[learning][pairs][property]") {
  for (const TokenPairs& pairs :
       {TokenPairs::all(kPairSets), TokenPairs::symmetric(kPairSets), TokenPairs::listed(every_third())}) {
    std::vector<TokenPair> all(pairs.rows());
    pairs.read(0, all);
    Index wrong = 0;
    for (Index row = 0; row < pairs.rows(); ++row) {
      TokenPair one;
      pairs.read(row, {&one, 1});
      const TokenPair& expected = all[row];
      wrong += one.first != expected.first || one.second != expected.second || one.entry != expected.entry ||
               one.mirror != expected.mirror;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("half of the pairs give the biases and the gradients of all, if features are the same both ways",
          "[learning][pairs][property]") {
  const PairNetExample<double> net({3, 9, 2});
  const NetOutcome all = run_pair_net(net, TokenPairs::all(kPairSets)),
                   half = run_pair_net(net, TokenPairs::symmetric(kPairSets));
  CHECK(all.theta == half.theta);
  double worst = 0;
  for (std::size_t k = 0; k < all.gradients.size(); ++k)
    for (std::size_t e = 0; e < all.gradients[k].size(); ++e)
      worst =
          std::max(worst, std::abs(all.gradients[k][e] - half.gradients[k][e]) / (1 + std::abs(all.gradients[k][e])));
  CHECK(worst < kPairTwin * 100);
}

TEST_CASE("a pair network has the same bits for 1, 2, 3 and 5 threads, and a set alone those among others",
          "[learning][pairs][threads]") {
  const std::vector<Index> sizes{0, 100, 150, 151};  // enough pairs for several tasks
  const PairNetExample<float> net({3, 16, 16, 3});
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const NetOutcome one = run_pair_net(net, TokenPairs::symmetric(sizes));
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    const NetOutcome several = run_pair_net(net, TokenPairs::symmetric(sizes));
    CHECK(several.theta == one.theta);
    CHECK(several.gradients == one.gradients);
  }
  omp_set_num_threads(before);
  const std::vector<Index> alone{0, 100};
  const NetOutcome first = run_pair_net(net, TokenPairs::symmetric(alone));
  for (std::size_t h = 0; h < 3; ++h) {
    const std::vector<double> mine(first.theta.begin() + static_cast<std::ptrdiff_t>(h * 10000),
                                   first.theta.begin() + static_cast<std::ptrdiff_t>(h * 10000 + 10000));
    const std::size_t begin = h * (10000 + 2500 + 1);
    CHECK(mine == std::vector<double>(one.theta.begin() + static_cast<std::ptrdiff_t>(begin),
                                      one.theta.begin() + static_cast<std::ptrdiff_t>(begin + 10000)));
  }
}

TEST_CASE("a pair network says what does not fit", "[learning][pairs][error]") {
  Tape<double> tape;
  tape.begin(nullptr, {});
  const PairNetExample<double> net({3, 4, 2});
  const auto layers = net.layers(tape);
  const TokenPairs pairs = TokenPairs::symmetric(kPairSets);
  CHECK_THROWS_WITH(pair_network<double>(pairs, tape.variable(pair_numbers<double>(5, 3, 1)), layers),
                    Catch::Matchers::Contains("but 5 rows of features"));
  CHECK_THROWS_WITH(pair_network<double>(pairs, tape.variable(pair_numbers<double>(pairs.rows(), 4, 1)), layers),
                    "pair_network: the weight of layer 0 is 3 x 4, but 4 values enter it.");
  CHECK_THROWS_WITH(pair_network<double>(pairs, computed_features<double>(), {}),
                    "pair_network: there are 0 layers, but must be 1 to 8.");
}

}  // namespace
}  // namespace fovea::learning
