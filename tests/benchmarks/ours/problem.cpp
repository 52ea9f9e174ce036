#include "fovea/tests/benchmarks/ours/problem.hpp"

#include "fovea/core/attention/shares.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/tests/benchmarks/ours/numbers.hpp"
#include "fovea/tests/benchmarks/ours/set_sizes.hpp"

namespace fovea::bench {
namespace {

constexpr Index kNeighbours = 16;
constexpr float kLogRate = -5.0F;  // a half-life of a hundred events

Matrix<float> drawn(const Random& random, Index rows, Index columns, bool uniform) {
  Matrix<float> matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    matrix.data()[i] = static_cast<float>(uniform ? random.uniform(at) : random.normal(at));
  }
  return matrix;
}

void append(std::vector<float>& all, const Matrix<float>& part) {
  all.insert(all.end(), part.data(), part.data() + part.size());
}

ScoreTerm<float> score_of(const std::string& name) {
  require(name == "dot_product" || name == "gaussian", "request: there is no score '", name, "'.");
  return {name == "gaussian" ? gaussian_score<float>() : dot_product_score<float>(), {}};
}

}  // namespace

Problem::Problem(const Request& request) {
  const std::string pass = request.text("pass", "forward");
  require(pass == "forward" || pass == "backward" || pass == "both", "request: there is no pass '", pass, "'.");
  pass_ = pass == "forward" ? Pass::forward : pass == "backward" ? Pass::backward : Pass::both;
  set_spec(request);
  draw_inputs(request);
  if (request.text("modifiers", "none") == "causal_decay")
    spec_.modifiers = {{causal<float>(), {}}, {time_decay<float>(times_, times_), {kLogRate}}};
  if (pass_ == Pass::backward) forward_ = attend(queries_, keys_, values_, spec_);
}

void Problem::set_spec(const Request& request) {
  keeps_shares_apart_ = request.text("promise", "kept") == "kept";
  const std::string modifiers = request.text("modifiers", "none");
  require(modifiers == "none" || modifiers == "causal_decay" || modifiers == "neighbours",
          "request: there are no modifiers '", modifiers, "'.");
  neighbours_ = modifiers == "neighbours";
  spec_.score = score_of(request.text("score", "dot_product"));
  spec_.heads = request.count("heads", 1);
  const Index sets = request.count("sets", 0);
  if (sets > 0) spec_.query_offsets = spec_.key_offsets = set_offsets(sets, request.text("data", ""));
}

void Problem::draw_inputs(const Request& request) {
  const Index rows = spec_.query_offsets.empty() ? request.count("rows") : spec_.query_offsets.back();
  const Index columns = spec_.heads * request.count("dimension");
  const Index value_columns = spec_.heads * request.count("value_dimension", request.count("dimension"));
  const Random random(1);
  queries_ = drawn(random.stream("queries"), rows, columns, neighbours_);
  keys_ = neighbours_ ? queries_ : drawn(random.stream("keys"), rows, columns, false);
  values_ = drawn(random.stream("values"), rows, value_columns, false);
  output_gradient_ = drawn(random.stream("output gradient"), rows, value_columns, false);
  times_ = Vector<float>::LinSpaced(rows, 0, static_cast<float>(rows - 1));
}

void Problem::find_neighbours() {
  const Matrix<double> coordinates = queries_.cast<double>();
  spec_.modifiers = {{nearest_neighbours<float>({coordinates, coordinates, {}, {}}, kNeighbours), {}}};
}

void Problem::run() {
  keeps_shares_apart = keeps_shares_apart_;
  if (neighbours_) find_neighbours();
  if (pass_ != Pass::backward) attend_into(forward_, queries_, keys_, values_, spec_);
  if (pass_ != Pass::forward)
    attend_backward_into(gradients_ ? *gradients_ : gradients_.emplace(), queries_, keys_, values_, spec_, forward_,
                         output_gradient_);
}

std::vector<float> Problem::answer() const {
  std::vector<float> all;
  if (pass_ != Pass::backward) append(all, forward_.outputs);
  if (!gradients_) return all;
  for (const Matrix<float>* part : {&gradients_->queries, &gradients_->keys, &gradients_->values}) append(all, *part);
  for (const auto& theta : gradients_->modifier_theta) all.insert(all.end(), theta.begin(), theta.end());
  return all;
}

void Problem::write(const std::string& folder) const {
  const auto write_matrix = [&](const char* name, const auto& matrix) {
    write_numbers(concat(folder, "/", name), matrix.data(), matrix.size());
  };
  write_matrix("queries", queries_);
  write_matrix("keys", keys_);
  write_matrix("values", values_);
  write_matrix("output_gradient", output_gradient_);
  write_matrix("times", times_);
  const std::vector<Index> one_set{0, queries_.rows()};
  const std::vector<Index>& offsets = spec_.query_offsets.empty() ? one_set : spec_.query_offsets;
  write_numbers(concat(folder, "/offsets"), offsets.data(), static_cast<Index>(offsets.size()));
}

double Problem::pairs() const {
  const double heads = static_cast<double>(spec_.heads), rows = static_cast<double>(queries_.rows());
  if (neighbours_) return heads * rows * kNeighbours;
  if (!spec_.modifiers.empty()) return heads * rows * (rows + 1) / 2;
  if (spec_.query_offsets.empty()) return heads * rows * rows;
  double pairs = 0;
  for (std::size_t set = 0; set + 1 < spec_.query_offsets.size(); ++set) {
    const double size = static_cast<double>(spec_.query_offsets[set + 1] - spec_.query_offsets[set]);
    pairs += heads * size * size;
  }
  return pairs;
}

}  // namespace fovea::bench
