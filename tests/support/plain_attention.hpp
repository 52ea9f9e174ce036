#pragma once
/// The brute-force twin of the engine: an N x M matrix of scores, one pair at a time, with the C library's exp.

#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/registry.hpp"

namespace fovea::test {

using Row = Eigen::RowVectorXd;
using PlainScore = std::function<double(const Row& query, const Row& key, Index head)>;
/// One pair as a modifier sees it.
struct PlainPair {
  Index head, i, j;              ///< query and key row, through all sets
  Index first_query, first_key;  ///< of the set
  Index key_count;               ///< of the set
};
struct PlainModifier {
  std::function<double(double score, const PlainPair& pair)> modify;
  std::function<Row(const Row& key, Index head)> change_key;  ///< empty: keys stay as they are
};
using PlainTable = std::map<std::string_view, PlainModifier>;

struct PlainSpec {
  PlainScore score;
  std::vector<PlainModifier> modifiers;
  Index heads = 1;
  std::vector<Index> query_offsets, key_offsets;
};

struct PlainResult {
  std::vector<Matrix<double>> weights;  ///< one N x M matrix for each head
  Matrix<double> outputs, log_sum_exp;
};

PlainResult plain_attend(const Matrix<double>& queries, const Matrix<double>& keys, const Matrix<double>& values,
                         const PlainSpec& spec);

/// What the registered example of that name does to one pair; an empty function where nobody has said so.
PlainScore plain_score(std::string_view name);
PlainModifier plain_modifier(std::string_view name);
/// Its parts: modifiers that shift or scale scores, and modifiers that choose which keys a query sees.
const PlainTable& plain_score_changes();
const PlainTable& plain_key_choices();

/// Numbers in [-1, 1), the same for the same salt.
Matrix<double> random_matrix(Index rows, Index columns, unsigned salt);

/// A problem with several heads and packed sets, for the registered examples: everything a spec can have.
struct Packed {
  Matrix<double> queries, keys, values, output_gradient;
  AttentionSpec<double> spec;
  PlainSpec plain;
  ExampleProblem example;
};
/// set_sizes: (queries, keys) of each set.
Packed packed_problem(const std::vector<std::pair<Index, Index>>& set_sizes, Index heads, Index dimension,
                      Index value_columns, unsigned salt);
void set_score(Packed& packed, const ScoreEntry<double>& entry);
void add_modifier(Packed& packed, const ModifierEntry<double>& entry);

/// Entries of the tables by name.
const ScoreEntry<double>& score_entry(std::string_view name);
const ModifierEntry<double>& modifier_entry(std::string_view name);

/// Whether all numbers have the same bits.
template <typename Real>
bool same_bits(const Matrix<Real>& a, const Matrix<Real>& b);
bool same_bits(const AttentionGradients<double>& a, const AttentionGradients<double>& b);

}  // namespace fovea::test
