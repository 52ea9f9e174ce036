#include "fovea/core/attention/fast/circle_attention.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/core/attention/fast/arguments.hpp"
#include "fovea/core/attention/fast/box_moments.hpp"
#include "fovea/core/base/instruction_set.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea {
namespace {

using namespace fovea::fast;

constexpr double kCirclePi = 3.14159265358979323846, kCircleTurn = 2 * kCirclePi,
                 kCircleTurnRest = 2.4492935982947064e-16;  // 2 pi in two parts
constexpr double kCircleWidest = 0.5;                       // of 1 / sqrt(beta), and radians
constexpr double kCircleFarthest = 60;                      // what is below exp(-60) = 9e-27 is not heard
constexpr double kCircleVouched = 1e-13;                    // part of the weight that its error may be
constexpr double kCircleRounding = 4.5e-16;
constexpr double kCircleMostBeta = 1e9;  // more boxes than that would pay for
constexpr double kCircleBoxesPerPoint = 4;
constexpr Index kCircleChunk = 8192;

#if defined(__GNUC__)
#define FOVEA_FOLDED __attribute__((always_inline)) inline
#else
#define FOVEA_FOLDED inline
#endif

/// x less whole turns, in [-pi, pi].
FOVEA_FOLDED double on_circle(double x) {
  if (std::abs(x) <= kCirclePi) return x;
  const double turns = std::nearbyint(x / kCircleTurn);
  return std::clamp(std::fma(-turns, kCircleTurnRest, std::fma(-turns, kCircleTurn, x)), -kCirclePi, kCirclePi);
}

void fold_anywhere(const double* from, double* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = on_circle(from[i]);
}

#if defined(__x86_64__) && defined(__GNUC__)
/// The same bits: fma is exact but for its one rounding wherever it is done. As a call to the library it takes a tenth
/// of a step of the circle.
__attribute__((target("avx2,fma"))) void fold_by_fma(const double* from, double* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = on_circle(from[i]);
}
#endif

void fold(const double* from, double* to, std::size_t count) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (instruction_set() != InstructionSet::portable) return fold_by_fma(from, to, count);
#endif
  fold_anywhere(from, to, count);
}

/// sin x for |x| <= pi / 2, by its series.
double sine(double x) {
  const double square = x * x;
  double y = 1;
  for (int k = 20; k >= 2; k -= 2) y = 1 - y * square / (k * (k + 1));
  return x * y;
}

/// Taylor coefficients at d = x - y of exp(beta (cos d - 1)), n = 0 .. 2 kLineTerms - 1: e' = beta (cos)' e.
void circle_series(long double d, long double beta, long double* e) {
  const long double sine_d = std::sin(d), cosine_d = std::cos(d), half = std::sin(d / 2);
  long double slope[2 * kLineTerms], factorial = 1;  // of beta (cos)' = -beta sin(d + z)
  const long double cycle[4] = {-sine_d, -cosine_d, sine_d, cosine_d};
  for (Index n = 0; n < 2 * kLineTerms; ++n) {
    slope[n] = beta * cycle[n % 4] / factorial;
    factorial *= static_cast<long double>(n + 1);
  }
  e[0] = std::exp(-2 * beta * half * half);
  for (Index n = 0; n + 1 < 2 * kLineTerms; ++n) {
    long double sum = 0;
    for (Index k = 0; k <= n; ++k) sum += slope[k] * e[n - k];
    e[n + 1] = sum / static_cast<long double>(n + 1);
  }
}

/// matrix(l, k): what moment l of the keys adds to power k of the field, from the series at the distance of the
/// centres.
void fill_circle_matrix(const long double* series, long double half, double* matrix) {
  for (Index l = 0; l < kLineTerms; ++l) {
    long double choose = l % 2 == 0 ? 1 : -1;
    for (Index k = 0; k < kLineTerms; ++k) {
      matrix[l * kLineTerms + k] =
          static_cast<double>(series[k + l] * choose * std::pow(half, static_cast<long double>(k + l)));
      choose = choose * static_cast<long double>(k + 1 + l) / static_cast<long double>(k + 1);
    }
  }
}

/// A bound of what the matrix leaves out, powers from kLineTerms on of either half: (t - s)^n holds (n over k) t^k
/// s^(n-k).
long double left_out(const long double* series, long double half) {
  long double sum = 0;
  for (Index n = kLineTerms; n < 2 * kLineTerms; ++n) {
    long double choose = 1, terms = 0;  // from k = n down
    for (Index k = n; k >= kLineTerms; --k) {
      terms += choose;
      choose = choose * static_cast<long double>(k) / static_cast<long double>(n - k + 1);
    }
    sum += 2 * terms * std::abs(series[n]) * std::pow(half, static_cast<long double>(n));
  }
  return sum;
}

}  // namespace

struct CircleAttention::Workspace {
  /// Pairs of boxes with key box - query box from `first` on, at the distance -that * width + turns * 2 pi.
  struct Offsets {
    Index first = 0, count = 0, turns = 0;
    AlignedVector<double> weights, forces, errors;  ///< a matrix for each, and the error that a key adds
  };

  double beta = 0, width = 0;
  Index most = 0, pad = 0;  ///< boxes -most .. most, and as many empty ones on each side as offsets reach
  Offsets offsets[3];
  std::vector<double> queries, keys;
  BoxMoments moments;
  AlignedVector<double> fields, force_fields, least;
  std::vector<char> visited;  ///< groups of boxes with queries

  void set_beta(double new_beta);
  void prepare();
  void fill(Offsets& some, Index first, Index last, Index turns);
  Index box_of(double x) const { return most + static_cast<Index>(std::nearbyint(x / width)); }
  void spread();
  void add_field(Index box, bool forces, double* field) const;
  std::vector<Index> evaluate(std::span<double> weight_sums, std::span<double> force_sums);
  void sum_all(Index query, std::span<const double> strengths, double& weight, double& force) const;
};

void CircleAttention::Workspace::set_beta(double new_beta) {
  if (new_beta == beta) return;
  beta = new_beta;
  most = 0;
}

void CircleAttention::Workspace::prepare() {
  if (most > 0) return;
  width = short_number(std::min(kCircleWidest, kCircleWidest / std::sqrt(beta)));
  most = static_cast<Index>(std::nearbyint(kCirclePi / width));
  const double heard = kCircleFarthest >= 2 * beta ? kCirclePi : std::acos(1 - kCircleFarthest / beta);
  const Index reach = static_cast<Index>(std::ceil(heard / width)) + 1;
  const Index half_turn = static_cast<Index>(std::floor(kCirclePi / width));
  const Index near = std::min(reach, half_turn);
  const Index far = std::max(near + 1, static_cast<Index>(std::floor(kCircleTurn / width)) - reach);
  fill(offsets[0], -near, near, 0);
  fill(offsets[1], far, 2 * most, 1);
  fill(offsets[2], -2 * most, -far, -1);
  pad = 2 * most + kBoxesTogether;
}

void CircleAttention::Workspace::fill(Offsets& some, Index first, Index last, Index turns) {
  some.first = first;
  some.count = std::max<Index>(0, last - first + 1);
  some.turns = turns;
  room(some.weights, some.count * kLineTerms * kLineTerms);
  room(some.forces, some.count * kLineTerms * kLineTerms);
  room(some.errors, some.count);
  const long double half = static_cast<long double>(width) / 2;
  for_each_task(some.count, some.count > 8, [&](Index n) {
    const long double turn = 2 * 3.14159265358979323846264338327950288L * static_cast<long double>(turns);
    const long double distance = turn - static_cast<long double>(first + n) * static_cast<long double>(width);
    long double series[2 * kLineTerms], slopes[2 * kLineTerms];
    circle_series(distance, beta, series);
    for (Index k = 0; k + 1 < 2 * kLineTerms; ++k)  // e sin(y - x) = e' / beta
      slopes[k] = static_cast<long double>(k + 1) * series[k + 1] / static_cast<long double>(beta);
    fill_circle_matrix(series, half, some.weights.data() + n * kLineTerms * kLineTerms);
    fill_circle_matrix(slopes, half, some.forces.data() + n * kLineTerms * kLineTerms);
    const double nearest = std::max(0.0, std::abs(static_cast<double>(distance)) - width) / 2;
    some.errors[n] = kCircleRounding * exponential(-2 * beta * sine(nearest) * sine(nearest)) +
                     static_cast<double>(left_out(series, half));
  });
}

void CircleAttention::Workspace::add_field(Index box, bool forces, double* field) const {
  for (const Offsets& some : offsets)
    line_kernels().translate((forces ? some.forces : some.weights).data(), some.count,
                             moments.row(pad + box + some.first), field);
}

void CircleAttention::Workspace::spread() {
  const Index boxes = 2 * most + 1, groups = (boxes + kBoxesTogether - 1) / kBoxesTogether;
  double* weights = zeros(fields, groups * kBoxesTogether * kBoxSize);
  double* forces = zeros(force_fields, groups * kBoxesTogether * kBoxSize);
  double* bound = zeros(least, groups * kBoxesTogether);
  const bool all = groups < static_cast<Index>(queries.size() / 16);  // looking costs more than it saves
  visited.assign(groups, all ? 1 : 0);
  if (!all)
    for (const double x : queries) visited[box_of(x) / kBoxesTogether] = 1;
  double mass = 0;
  for (Index box = 0; box < boxes; ++box) mass += moments.row(pad + box)[0];
  for_each_task(
      groups, groups > 4,
      [&](Index group) {
        if (visited[group] == 0) return;
        const Index first = group * kBoxesTogether;
        add_field(first, false, weights + first * kBoxSize);
        add_field(first, true, forces + first * kBoxSize);
        for (Index box = first; box < std::min(boxes, first + kBoxesTogether); ++box) {
          std::copy_n(forces + box * kBoxSize, kLineTerms, weights + box * kBoxSize + kLineTerms);
          bound[box] = mass * exponential(-kCircleFarthest) / kCircleVouched;
          for (const Offsets& some : offsets)
            for (Index n = 0; n < some.count; ++n) {
              const Index other = pad + box + some.first + n;
              bound[box] += (some.errors[n] * moments.row(other)[0] + moments.rounding(other)) / kCircleVouched;
            }
        }
      },
      4);
}

std::vector<Index> CircleAttention::Workspace::evaluate(std::span<double> weight_sums, std::span<double> force_sums) {
  const BoxRow row{width, 1 / width, -static_cast<double>(most), 2 * most + 1};
  const Index count = static_cast<Index>(queries.size()), chunks = (count + kCircleChunk - 1) / kCircleChunk;
  std::vector<std::vector<Index>> doubtful(chunks);
  for_each_task(chunks, true, [&](Index c) {
    std::uint32_t below[kCircleChunk];
    const Index from = c * kCircleChunk, some = std::min(kCircleChunk, count - from);
    const Index found = line_kernels().evaluate(row, fields.data(), least.data(), queries.data() + from, some,
                                                weight_sums.data() + from, force_sums.data() + from, below);
    for (Index i = 0; i < found; ++i) doubtful[c].push_back(from + below[i]);
  });
  std::vector<Index> all;
  for (const std::vector<Index>& some : doubtful) all.insert(all.end(), some.begin(), some.end());
  return all;
}

void CircleAttention::Workspace::sum_all(Index query, std::span<const double> strengths, double& weight,
                                         double& force) const {
  constexpr std::size_t kTogether = 256;
  double exponents[kTogether], sines[kTogether];
  weight = force = 0;
  for (std::size_t from = 0; from < keys.size(); from += kTogether) {
    const std::size_t some = std::min(kTogether, keys.size() - from);
    for (std::size_t j = 0; j < some; ++j) {
      const double d = on_circle(keys[from + j] - queries[query]);
      const double half = sine(d / 2), quarter = sine(d / 4);
      exponents[j] = -2 * beta * half * half;
      sines[j] = 2 * half * (1 - 2 * quarter * quarter);
    }
    kernels<double>().exponentials(exponents, static_cast<Index>(some), 0, exponents);
    for (std::size_t j = 0; j < some; ++j) {
      const double e = exponents[j] * (strengths.empty() ? 1 : strengths[from + j]);
      weight += e;
      force += e * sines[j];
    }
  }
}

CircleAttention::CircleAttention() : workspace_(std::make_unique<Workspace>()) {}
CircleAttention::~CircleAttention() = default;
CircleAttention::CircleAttention(CircleAttention&&) noexcept = default;
CircleAttention& CircleAttention::operator=(CircleAttention&&) noexcept = default;

void CircleAttention::sums(std::span<const double> queries, std::span<const double> keys,
                           std::span<const double> strengths, double beta, std::span<double> weight_sums,
                           std::span<double> force_sums) {
  constexpr const char* kWho = "attention on the circle";
  must_be_as_many(kWho, "strengths", strengths.size(), keys.size(), "keys", true);
  must_be_as_many(kWho, "sums of weights", weight_sums.size(), queries.size(), "queries");
  must_be_as_many(kWho, "sums of forces", force_sums.size(), queries.size(), "queries");
  must_be_positive(kWho, "beta", beta);
  finite_range(kWho, "queries", queries);
  finite_range(kWho, "keys", keys);
  const double strongest = strengths.empty() ? 1 : range_of_strengths(kWho, strengths).high;
  Workspace& work = *workspace_;
  const auto wrap = [](std::span<const double> from, std::vector<double>& to) {
    to.resize(from.size());
    for_each_task((static_cast<Index>(from.size()) + kCircleChunk - 1) / kCircleChunk, from.size() > kCircleChunk,
                  [&](Index c) {
                    const std::size_t first = c * kCircleChunk;
                    fold(from.data() + first, to.data() + first,
                         std::min(from.size() - first, static_cast<std::size_t>(kCircleChunk)));
                  });
  };
  wrap(queries, work.queries);
  if (keys.data() == queries.data() && keys.size() == queries.size())
    work.keys = work.queries;
  else
    wrap(keys, work.keys);
  work.set_beta(beta);
  std::vector<Index> left;
  const double points = static_cast<double>(queries.size() + keys.size());
  if (beta < kCircleMostBeta && 2 * kCircleTurn * std::max(1.0, std::sqrt(beta)) < kCircleBoxesPerPoint * points) {
    work.prepare();
    const BoxRow row{work.width, 1 / work.width, -static_cast<double>(work.most + work.pad),
                     2 * (work.most + work.pad) + 1};
    work.moments.collect(row,
                         {work.keys,
                          work.keys,
                          strengths,
                          {-kCirclePi, kCirclePi},
                          kCirclePi,
                          strongest,
                          static_cast<Index>(keys.size())},
                         BoxMoments::block_of(2 * work.most + 1));
    work.spread();
    left = work.evaluate(weight_sums, force_sums);
  } else {
    for (Index i = 0; i < static_cast<Index>(queries.size()); ++i) left.push_back(i);
  }
  for_each_task(static_cast<Index>(left.size()), true, [&](Index n) {
    const std::size_t i = left[n];
    work.sum_all(static_cast<Index>(i), strengths, weight_sums[i], force_sums[i]);
  });
}

}  // namespace fovea
