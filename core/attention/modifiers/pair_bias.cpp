#include <algorithm>
#include <limits>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/memory.hpp"
#include "fovea/core/kernels/kernels.hpp"
#include "fovea/core/kernels/packed.hpp"

namespace fovea {
namespace {

/// Where the entry of a pair stands: the matrices of the sets follow one another, each row-major.
class PairLayout {
 public:
  PairLayout(std::string_view who, std::vector<Index> query_offsets, std::vector<Index> key_offsets)
      : who_(who), query_offsets_(std::move(query_offsets)), key_offsets_(std::move(key_offsets)) {
    check_offsets("query", query_offsets_);
    check_offsets("key", key_offsets_);
    require(query_offsets_.size() == key_offsets_.size(), who_, ": there are ", query_offsets_.size(),
            " query_offsets but ", key_offsets_.size(), " key_offsets; each set needs both.");
    for (std::size_t set = 0; set + 1 < query_offsets_.size(); ++set)
      first_.push_back(first_.back() + height(set) * width(set));
  }

  void check(const AttentionShape& shape) const {
    const std::size_t sets = query_offsets_.size() - 1, expected = shape.query_offsets.size() - 1;
    require(sets == expected, who_, ": there are matrices for ", sets, " sets, but attend() got ", expected, ".");
    for (std::size_t set = 0; set < sets; ++set) {
      const Index queries = shape.query_offsets[set + 1] - shape.query_offsets[set];
      const Index keys = shape.key_offsets[set + 1] - shape.key_offsets[set];
      require(height(set) == queries && width(set) == keys, who_, ": the matrix of set ", set, " is ", height(set),
              " x ", width(set), ", but attend() got ", queries, " queries and ", keys, " keys in it.");
    }
  }

  Index pairs() const { return first_.back(); }

  /// Where the row of a query begins: the entry of the set's first key.
  Index row(Index query) const {
    const auto above = std::upper_bound(query_offsets_.begin(), query_offsets_.end(), query);
    const std::size_t set = (above - query_offsets_.begin()) - 1;
    return first_[set] + (query - query_offsets_[set]) * width(set);
  }

 private:
  Index height(std::size_t set) const { return query_offsets_[set + 1] - query_offsets_[set]; }
  Index width(std::size_t set) const { return key_offsets_[set + 1] - key_offsets_[set]; }

  void check_offsets(std::string_view name, const std::vector<Index>& offsets) const {
    require(!offsets.empty() && offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()), who_, ": ",
            name, "_offsets must start at 0 and must not fall; one set of N rows is {0, N}.");
  }

  std::string_view who_;
  std::vector<Index> query_offsets_, key_offsets_;
  std::vector<Index> first_{0};  ///< of each set's matrix
};

/// The entries come from theta, or, fixed, from a matrix of its own that all heads share.
template <typename Real>
class PairBias final : public ScoreModifier<Real> {
 public:
  explicit PairBias(PairLayout layout) : layout_(std::move(layout)) {}
  PairBias(PairLayout layout, std::vector<Real> entries)
      : layout_(std::move(layout)), learned_(false), entries_(std::move(entries)) {}

  Index parameter_count(Index heads) const override { return learned_ ? heads * layout_.pairs() : 0; }
  bool parameters_belong_to_pairs() const override { return learned_; }
  bool reads_scores() const override { return false; }
  void check(const AttentionShape& shape) const override { layout_.check(shape); }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    Real largest = kMasked<Real>;
    for (Index i = 0; i < range.query_count; ++i) {
      const Real* bias = entries(theta) + row(range, i);
      if (!range.key_list) {
        largest = std::max(largest, kernels<Real>().maximum(bias + range.key_position(0), range.key_count));
        continue;
      }
      for (Index j = 0; j < range.key_count; ++j) largest = std::max(largest, bias[range.key_position(j)]);
    }
    return largest == kMasked<Real> ? largest : incoming + largest;
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    for (Index i = 0; i < tile.query_count; ++i) {
      const Real* bias = entries(theta) + row(tile, i);
      if (!tile.key_list) {
        kernels<Real>().add_scaled(tile.row(i), bias + tile.key_position(0), Real(1), tile.key_count);
        continue;
      }
      for (Index j = 0; j < tile.key_count; ++j) tile.row(i)[j] += bias[tile.key_position(j)];
    }
  }

  bool works_by_keys() const override { return true; }
  void apply_by_keys(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    static thread_local AlignedVector<Real> memory;
    Real* turned = room(memory, column_room<Real>(tile.query_count, tile.key_count));
    const Real* bias = entries(theta) + row(tile, 0);
    pack_columns<Real>({bias, tile.key_count, tile.key_count}, tile.query_count, turned);
    if (tile.stride == kGroup<Real>)
      return kernels<Real>().add_scaled(tile.scores, turned, Real(1), tile.key_count * tile.stride);
    for (Index j = 0; j < tile.key_count; ++j)
      kernels<Real>().add_scaled(tile.row(j), turned + j * kGroup<Real>, Real(1), tile.query_count);
  }

  // ds'/ds = ds'/dtheta = 1 for the pair's own entry
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real>,
                std::span<Real> theta_gradient) const override {
    for (Index i = 0; i < gradient.query_count && !theta_gradient.empty(); ++i) {
      Real* sums = theta_gradient.data() + row(gradient, i);
      if (!gradient.key_list) {
        kernels<Real>().add_scaled(sums + gradient.key_position(0), gradient.row(i), Real(1), gradient.key_count);
        continue;
      }
      for (Index j = 0; j < gradient.key_count; ++j) sums[gradient.key_position(j)] += gradient.row(i)[j];
    }
  }

 private:
  const Real* entries(std::span<const Real> theta) const { return learned_ ? theta.data() : entries_.data(); }
  Index row(const TileRange& range, Index i) const {
    return (learned_ ? range.head * layout_.pairs() : 0) + layout_.row(range.query(i));
  }

  PairLayout layout_;
  bool learned_ = true;
  std::vector<Real> entries_;
};

template <typename Real>
void check_entries(const Matrix<Real>& matrix, std::size_t set) {
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.cols(); ++j)
      require(matrix(i, j) <= std::numeric_limits<Real>::max() / 4, "fixed_pair_bias: the matrix of set ", set, " has ",
              matrix(i, j), " at (", i, ", ", j, "), but must have numbers of at most ",
              std::numeric_limits<Real>::max() / 4, "; -inf forbids the pair.");
}

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> pair_bias(std::vector<Index> query_offsets, std::vector<Index> key_offsets) {
  return std::make_shared<PairBias<Real>>(PairLayout("pair_bias", std::move(query_offsets), std::move(key_offsets)));
}
template std::shared_ptr<const ScoreModifier<float>> pair_bias(std::vector<Index>, std::vector<Index>);
template std::shared_ptr<const ScoreModifier<double>> pair_bias(std::vector<Index>, std::vector<Index>);

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> fixed_pair_bias(const std::vector<Matrix<Real>>& matrices) {
  std::vector<Index> query_offsets{0}, key_offsets{0};
  std::vector<Real> entries;
  for (std::size_t set = 0; set < matrices.size(); ++set) {
    const Matrix<Real>& matrix = matrices[set];
    check_entries(matrix, set);
    query_offsets.push_back(query_offsets.back() + matrix.rows());
    key_offsets.push_back(key_offsets.back() + matrix.cols());
    entries.insert(entries.end(), matrix.data(), matrix.data() + matrix.size());
  }
  return std::make_shared<PairBias<Real>>(
      PairLayout("fixed_pair_bias", std::move(query_offsets), std::move(key_offsets)), std::move(entries));
}
template std::shared_ptr<const ScoreModifier<float>> fixed_pair_bias(const std::vector<Matrix<float>>&);
template std::shared_ptr<const ScoreModifier<double>> fixed_pair_bias(const std::vector<Matrix<double>>&);

namespace {

std::vector<Index> offsets_or_one_set(const std::vector<Index>& offsets, Index rows) {
  return offsets.empty() ? std::vector<Index>{0, rows} : offsets;
}

/// The bias of query row i and key row j; a number that no row, column or head has twice in a row.
double example_bias(Index head, Index i, Index j) {
  return 0.1 * static_cast<double>((3 * head + 2 * i + 5 * j) % 7) - 0.3;
}

/// One matrix for each set.
template <typename Real>
std::vector<Matrix<Real>> example_biases(const ExampleProblem& problem, Index head) {
  const std::vector<Index> queries = offsets_or_one_set(problem.query_offsets, problem.query_count);
  const std::vector<Index> keys = offsets_or_one_set(problem.key_offsets, problem.key_count);
  std::vector<Matrix<Real>> biases;
  for (std::size_t set = 0; set + 1 < queries.size(); ++set)
    biases.push_back(Matrix<Real>::NullaryExpr(
        queries[set + 1] - queries[set], keys[set + 1] - keys[set],
        [&](Index i, Index j) { return static_cast<Real>(example_bias(head, queries[set] + i, keys[set] + j)); }));
  return biases;
}

template <typename Real>
std::vector<Real> example_entries(const ExampleProblem& problem) {
  std::vector<Real> theta;
  for (Index head = 0; head < problem.heads; ++head)
    for (const Matrix<Real>& matrix : example_biases<Real>(problem, head))
      theta.insert(theta.end(), matrix.data(), matrix.data() + matrix.size());
  return theta;
}

}  // namespace

template <typename Real>
ModifierEntry<Real> pair_bias_entry() {
  return {
      "pair_bias",
      "s + b_ij",
      "theta = b, head after head, set after set, row-major",
      "Jumper et al. 2021",
      [](const ExampleProblem& problem) {
        return pair_bias<Real>(offsets_or_one_set(problem.query_offsets, problem.query_count),
                               offsets_or_one_set(problem.key_offsets, problem.key_count));
      },
      &example_entries<Real>,
      not_in_configs<Real>("its matrices have an entry for each pair of the given sets, and new cases are other sets")};
}
FOVEA_MODIFIER_ENTRY(pair_bias)

template <typename Real>
ModifierEntry<Real> fixed_pair_bias_entry() {
  return {"fixed_pair_bias",
          "s + b_ij, b given and the same for all heads",
          "",
          "Jumper et al. 2021",
          [](const ExampleProblem& problem) { return fixed_pair_bias<Real>(example_biases<Real>(problem, 0)); },
          &no_parameters<Real>,
          not_in_configs<Real>("a config cannot hold a matrix for each set")};
}
FOVEA_MODIFIER_ENTRY(fixed_pair_bias)

}  // namespace fovea
