#include "fovea/tests/support/plain_attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

namespace fovea::test {
namespace {

constexpr double kForbidden = -std::numeric_limits<double>::infinity();

Row softmax(const Row& scores, double& log_sum) {
  const double top = scores.size() > 0 ? scores.maxCoeff() : kForbidden;
  log_sum = kForbidden;
  if (top == kForbidden) return Row::Zero(scores.size());
  Row weights = scores;
  for (double& w : weights) w = std::exp(w - top);
  log_sum = top + std::log(weights.sum());
  return weights / weights.sum();
}

}  // namespace

PlainResult plain_attend(const Matrix<double>& queries, const Matrix<double>& keys, const Matrix<double>& values,
                         const PlainSpec& spec) {
  const Index d = queries.cols() / spec.heads, dv = values.cols() / spec.heads;
  PlainResult result;
  result.outputs.setZero(queries.rows(), values.cols());
  result.log_sum_exp.setConstant(queries.rows(), spec.heads, kForbidden);
  for (Index head = 0; head < spec.heads; ++head) {
    Matrix<double> weights = Matrix<double>::Zero(queries.rows(), keys.rows());
    for (std::size_t set = 0; set + 1 < spec.query_offsets.size(); ++set) {
      const Index first_key = spec.key_offsets[set], keys_here = spec.key_offsets[set + 1] - first_key;
      for (Index i = spec.query_offsets[set]; i < spec.query_offsets[set + 1]; ++i) {
        Row scores(keys_here);
        for (Index j = 0; j < keys_here; ++j) {
          Row key = keys.row(first_key + j).segment(head * d, d);
          for (const PlainModifier& modifier : spec.modifiers)
            if (modifier.change_key) key = modifier.change_key(key, head);
          scores[j] = spec.score(queries.row(i).segment(head * d, d), key, head);
          for (const PlainModifier& modifier : spec.modifiers)
            scores[j] =
                modifier.modify(scores[j], {head, i, first_key + j, spec.query_offsets[set], first_key, keys_here});
        }
        weights.row(i).segment(first_key, keys_here) = softmax(scores, result.log_sum_exp(i, head));
      }
    }
    result.outputs.middleCols(head * dv, dv) = weights * values.middleCols(head * dv, dv);
    result.weights.push_back(std::move(weights));
  }
  return result;
}

PlainModifier plain_modifier(std::string_view name) {
  for (const PlainTable* table : {&plain_score_changes(), &plain_key_choices()})
    if (const auto found = table->find(name); found != table->end()) return found->second;
  return {};
}

Matrix<double> random_matrix(Index rows, Index columns, unsigned salt) {
  std::mt19937 bits(salt);
  Matrix<double> matrix(rows, columns);
  for (Index k = 0; k < matrix.size(); ++k) matrix.data()[k] = static_cast<double>(bits()) * 0x1p-31 - 1;
  return matrix;
}

Packed packed_problem(const std::vector<std::pair<Index, Index>>& set_sizes, Index heads, Index dimension,
                      Index value_columns, unsigned salt) {
  Packed packed;
  std::vector<Index> query_offsets{0}, key_offsets{0};
  for (const auto& [queries, keys] : set_sizes) {
    query_offsets.push_back(query_offsets.back() + queries);
    key_offsets.push_back(key_offsets.back() + keys);
  }
  packed.queries = random_matrix(query_offsets.back(), heads * dimension, salt);
  packed.keys = random_matrix(key_offsets.back(), heads * dimension, salt + 1);
  packed.values = random_matrix(key_offsets.back(), heads * value_columns, salt + 2);
  packed.output_gradient = random_matrix(query_offsets.back(), heads * value_columns, salt + 3);
  packed.example = {query_offsets.back(), key_offsets.back(), dimension, query_offsets, key_offsets, heads};
  packed.spec.heads = packed.plain.heads = heads;
  packed.spec.query_offsets = packed.plain.query_offsets = query_offsets;
  packed.spec.key_offsets = packed.plain.key_offsets = key_offsets;
  return packed;
}

void set_score(Packed& packed, const ScoreEntry<double>& entry) {
  packed.spec.score = {entry.make(packed.example), entry.start(packed.example)};
  packed.plain.score = plain_score(entry.name);
}

void add_modifier(Packed& packed, const ModifierEntry<double>& entry) {
  packed.spec.modifiers.push_back({entry.make(packed.example), entry.start(packed.example)});
  packed.plain.modifiers.push_back(plain_modifier(entry.name));
}

const ScoreEntry<double>& score_entry(std::string_view name) {
  for (const ScoreEntry<double>& entry : scores<double>())
    if (entry.name == name) return entry;
  throw std::out_of_range("no score " + std::string(name));
}

const ModifierEntry<double>& modifier_entry(std::string_view name) {
  for (const ModifierEntry<double>& entry : modifiers<double>())
    if (entry.name == name) return entry;
  throw std::out_of_range("no modifier " + std::string(name));
}

template <typename Real>
bool same_bits(const Matrix<Real>& a, const Matrix<Real>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(Real)) == 0);
}
template bool same_bits(const Matrix<float>&, const Matrix<float>&);
template bool same_bits(const Matrix<double>&, const Matrix<double>&);

bool same_bits(const AttentionGradients<double>& a, const AttentionGradients<double>& b) {
  return same_bits(a.queries, b.queries) && same_bits(a.keys, b.keys) && same_bits(a.values, b.values) &&
         a.modifier_theta == b.modifier_theta && a.score_theta == b.score_theta;
}

}  // namespace fovea::test
