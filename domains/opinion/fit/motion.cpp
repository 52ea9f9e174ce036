#include "fovea/domains/opinion/fit/motion.hpp"
#include "fovea/core/data/least_value.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace fovea::opinion::fit {

namespace {

constexpr Index kPolynomials = 4;
constexpr int kReached = 20;             // permutations after which the test need not go on
constexpr double kLeastVariance = 1e-9;  // of what a polynomial adds to those before it

/// All answers of the waves one after another.
struct Answers {
  std::vector<double> values, weights;
  std::vector<std::size_t> wave;
  std::vector<std::vector<std::size_t>> of_person;  ///< in ascending order of persons

  explicit Answers(const WindowSample& sample) {
    std::map<std::int64_t, std::vector<std::size_t>> persons;
    for (std::size_t t = 0; t < sample.values.size(); ++t)
      for (std::size_t k = 0; k < sample.values[t].size(); ++k) {
        const auto person = sample.persons.empty() ? static_cast<std::int64_t>(values.size()) : sample.persons[t][k];
        persons[person].push_back(values.size());
        values.push_back(sample.values[t][k]);
        weights.push_back(sample.weights.empty() ? 1.0 : sample.weights[t][k]);
        wave.push_back(t);
      }
    for (auto& [person, places] : persons) of_person.push_back(std::move(places));
  }
};

/// In (-1, 1); equal answers share the middle of their ranks.
std::vector<double> mid_ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t k = first; k < last; ++k)
      ranks[order[k]] = static_cast<double>(first + last) / static_cast<double>(order.size()) - 1;
  }
  return ranks;
}

/// One row an answer, one column a polynomial: mean 0, variance 1, uncorrelated (Gram and Schmidt).
Matrix<double> whitened_polynomials(const std::vector<double>& ranks) {
  const auto count = static_cast<Index>(ranks.size());
  const Eigen::Map<const Vector<double>> x(ranks.data(), count);
  Matrix<double> columns(count, 0);
  Vector<double> power = Vector<double>::Ones(count);
  for (Index j = 0; j < kPolynomials; ++j) {
    power = power.cwiseProduct(x).eval();
    Vector<double> rest = power.array() - power.sum() / static_cast<double>(count);
    const double before = rest.squaredNorm();
    for (int twice = 0; twice < 2; ++twice)
      for (Index i = 0; i < columns.cols(); ++i)
        rest -= columns.col(i) * (columns.col(i).dot(rest) / static_cast<double>(count));
    if (!(rest.squaredNorm() > kLeastVariance * before)) break;
    columns.conservativeResize(Eigen::NoChange, columns.cols() + 1);
    columns.col(columns.cols() - 1) = rest * std::sqrt(static_cast<double>(count) / rest.squaredNorm());
  }
  return columns;
}

class MotionStatistic {
 public:
  MotionStatistic(const Answers& answers, std::span<const double> times)
      : answers_(answers), times_(times), scores_(whitened_polynomials(mid_ranks(answers.values))) {
    for (Index j = 0; j < scores_.cols(); ++j) scales_.push_back(1 / std::max(exchanged_variance(j), kLeastVariance));
  }

  bool is_empty() const { return scores_.cols() == 0; }

  /// place[k]: the answer that stands in slot k.
  double at(const std::vector<std::size_t>& place) const {
    using Sums = std::array<double, kPolynomials>;
    std::vector<Sums> sums(times_.size(), Sums{});
    std::vector<double> weight(times_.size(), 0.0), square(times_.size(), 0.0);
    for (std::size_t k = 0; k < place.size(); ++k) {
      const double w = answers_.weights[place[k]];
      const double* row = scores_.data() + static_cast<Index>(place[k]) * scores_.cols();
      Sums& sum = sums[answers_.wave[k]];
      for (Index j = 0; j < scores_.cols(); ++j) sum[j] += w * row[j];
      weight[answers_.wave[k]] += w;
      square[answers_.wave[k]] += w * w;
    }
    std::vector<double> sizes;
    for (std::size_t t = 0; t < weight.size(); ++t) sizes.push_back(weight[t] * weight[t] / square[t]);
    double statistic = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(scores_.cols()); ++j) {
      std::vector<double> means;
      for (std::size_t t = 0; t < weight.size(); ++t) means.push_back(sums[t][j] / weight[t]);
      statistic += scales_[j] * of_means(means, sizes);
    }
    return statistic;
  }

 private:
  /// What exchanges can move of polynomial j: its variance within persons, all of it for those who answered once.
  /// Persons who hardly change would else be drowned by the steeper polynomials. The same in every permutation.
  double exchanged_variance(Index j) const {
    double sum = 0;
    for (const std::vector<std::size_t>& places : answers_.of_person) {
      double own = 0;
      for (const std::size_t k : places) own += scores_(static_cast<Index>(k), j);
      own = places.size() > 1 ? own / static_cast<double>(places.size()) : 0;
      for (const std::size_t k : places) sum += std::pow(scores_(static_cast<Index>(k), j) - own, 2);
    }
    return sum / static_cast<double>(answers_.values.size());
  }

  double of_means(const std::vector<double>& means, const std::vector<double>& sizes) const {
    double all = 0, mean = 0, middle = 0;
    for (std::size_t t = 0; t < means.size(); ++t) {
      all += sizes[t];
      mean += sizes[t] * means[t];
      middle += sizes[t] * times_[t];
    }
    mean /= all;
    middle /= all;
    double between = 0, trend = 0, spread = 0;
    for (std::size_t t = 0; t < means.size(); ++t) {
      const double apart = means[t] - mean, time = times_[t] - middle;
      between += sizes[t] * apart * apart;
      trend += sizes[t] * time * apart;
      spread += sizes[t] * time * time;
    }
    return between / static_cast<double>(means.size() - 1) + trend * trend / spread;
  }

  const Answers& answers_;
  std::span<const double> times_;
  Matrix<double> scores_;
  std::vector<double> scales_;  // one for each polynomial
};

/// Persons by the number of their answers: within a group histories are exchanged.
std::vector<std::vector<std::size_t>> groups_of(const Answers& answers) {
  std::map<std::size_t, std::vector<std::size_t>> by_size;
  for (std::size_t p = 0; p < answers.of_person.size(); ++p) by_size[answers.of_person[p].size()].push_back(p);
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [size, persons] : by_size) groups.push_back(std::move(persons));
  return groups;
}

/// Fisher and Yates; draws counts what was drawn in this permutation.
void shuffle(std::vector<std::size_t>& items, const Random& random, std::uint64_t permutation, std::uint64_t& draws) {
  for (std::size_t k = items.size(); k > 1; --k) std::swap(items[k - 1], items[random.below(k, draws++, permutation)]);
}

void permute(const Answers& answers, const std::vector<std::vector<std::size_t>>& groups, const Random& random,
             std::uint64_t permutation, std::vector<std::size_t>& place) {
  std::uint64_t draws = 0;
  for (const std::vector<std::size_t>& group : groups) {
    std::vector<std::size_t> others = group;
    shuffle(others, random, permutation, draws);
    for (std::size_t k = 0; k < group.size(); ++k) {
      std::vector<std::size_t> history = answers.of_person[others[k]];
      if (history.size() > 1) shuffle(history, random, permutation, draws);
      const std::vector<std::size_t>& slots = answers.of_person[group[k]];
      for (std::size_t i = 0; i < slots.size(); ++i) place[slots[i]] = history[i];
    }
  }
}

}  // namespace

double unchanging_p(const WindowSample& sample, std::span<const double> times, int permutations, const Random& random) {
  const Answers answers(sample);
  const MotionStatistic statistic(answers, times);
  if (statistic.is_empty()) return 1;
  const auto groups = groups_of(answers);
  std::vector<std::size_t> place(answers.values.size());
  std::iota(place.begin(), place.end(), std::size_t{0});
  const double measured = statistic.at(place) * (1 - 1e-12);  // a tie counts as reached, whatever the rounding
  int reached = 0;
  for (int b = 1; b <= permutations; ++b) {
    permute(answers, groups, random, static_cast<std::uint64_t>(b), place);
    reached += statistic.at(place) >= measured ? 1 : 0;
    if (reached == kReached) return static_cast<double>(reached) / b;
  }
  return drawn_p(static_cast<std::size_t>(reached), static_cast<std::size_t>(permutations));
}

}  // namespace fovea::opinion::fit
