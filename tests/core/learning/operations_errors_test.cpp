#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning::test {
namespace {

/// Constants of those sizes on a tape of their own.
struct Sizes {
  Tape<double> tape;
  Variable<double> operator()(Index rows, Index columns) { return tape.variable(Matrix<double>::Ones(rows, columns)); }
  Sizes() { tape.begin(nullptr, {}); }
};

TEST_CASE("operations refuse shapes that do not fit, with the shapes", "[learning][errors]") {
  Sizes x;
  CHECK_THROWS_WITH(add(x(2, 3), x(3, 2)), "add: one is 2 x 3, the other 3 x 2; they must be of the same shape.");
  CHECK_THROWS_WITH(subtract(x(2, 3), x(2, 2)),
                    "subtract: one is 2 x 3, the other 2 x 2; they must be of the same shape.");
  CHECK_THROWS_WITH(multiply(x(2, 3), x(1, 3)),
                    "multiply: one is 2 x 3, the other 1 x 3; they must be of the same shape.");
  CHECK_THROWS_WITH(add_row(x(2, 3), x(1, 2)), "add_row: the row is 1 x 2, but must be 1 x 3.");
  CHECK_THROWS_WITH(multiply_row(x(2, 3), x(2, 3)), "multiply_row: the row is 2 x 3, but must be 1 x 3.");
  CHECK_THROWS_WITH(multiply_column(x(2, 3), x(3, 1)), "multiply_column: the column is 3 x 1, but must be 2 x 1.");
  CHECK_THROWS_WITH(linear(x(2, 3), x(2, 4)),
                    "linear: x has 3 columns, but the weight is 2 x 4; its rows must be as many as the columns of x.");
  CHECK_THROWS_WITH(linear(x(2, 3), x(3, 4), x(1, 3)), "linear: the bias is 1 x 3, but must be 1 x 4.");
  CHECK_THROWS_WITH(layer_norm(x(2, 3), x(1, 2), x(1, 3)), "layer_norm: the gain is 1 x 2, but must be 1 x 3.");
  CHECK_THROWS_WITH(layer_norm(x(2, 3), x(1, 3), x(3, 1)), "layer_norm: the shift is 3 x 1, but must be 1 x 3.");
  CHECK_THROWS_WITH(rms_norm(x(2, 3), x(1, 3), 0.0), "rms_norm: epsilon is 0, but must be > 0.");
}

TEST_CASE("operations refuse rates, positions and heads that make no sense", "[learning][errors]") {
  Sizes x;
  const std::vector<double> two{0, 1}, far{0, 2e15};
  CHECK_THROWS_WITH(dropout(x(2, 3), 1.0), "dropout: the rate is 1, but must be in [0, 1).");
  CHECK_THROWS_WITH(dropout(x(2, 3), -0.5), "dropout: the rate is -0.5, but must be in [0, 1).");
  CHECK_THROWS_WITH(rotate(x(3, 4), two, 1), "rotate: there are 2 positions for 3 rows; each row needs one.");
  CHECK_THROWS_WITH(rotate(x(2, 6), two, 2),
                    "rotate: 6 columns in 2 heads; each head must have an even number of columns.");
  CHECK_THROWS_WITH(rotate(x(2, 4), two, 1, 0.0), "rotate: the base is 0, but must be at least 1.");
  CHECK_THROWS_WITH(rotate(x(2, 4), far, 1), "rotate: a position is 2e+15, but must be within 1e15 of 0.");
}

TEST_CASE("operations refuse rows and columns that are not there", "[learning][errors]") {
  Sizes x;
  const std::vector<Index> rows{0, 3}, below{-2, 0};
  CHECK_THROWS_WITH(gather_rows(x(3, 2), rows), "gather_rows: row 3 of 3; a row must be in [0, 3), or -1 for none.");
  CHECK_THROWS_WITH(scatter_rows(x(2, 2), below, 5),
                    "scatter_rows: row -2 of 5; a row must be in [0, 5), or -1 for none.");
  CHECK_THROWS_WITH(scatter_rows(x(3, 2), rows, 5), "scatter_rows: there are 2 places for 3 rows; each row needs one.");
  CHECK_THROWS_WITH(take_columns(x(2, 3), 2, 2), "take_columns: columns 2 to 4 of 3; they must be among them.");
  CHECK_THROWS_WITH(reshape(x(2, 3), 4, 2), "reshape: 2 x 3 numbers as 4 x 2; there must be as many.");
  CHECK_THROWS_WITH(join_columns(std::span<const Variable<double>>()),
                    "join_columns: there are no parts; at least one is needed.");
  const std::vector<Variable<double>> parts{x(2, 3), x(3, 3)};
  CHECK_THROWS_WITH(join_columns(std::span<const Variable<double>>(parts)),
                    "join_columns: one part has 3 rows, the first 2; all must have as many.");
}

TEST_CASE("operations refuse offsets that do not describe the rows", "[learning][errors]") {
  Sizes x;
  const std::vector<Index> late{1, 3}, back{0, 2, 1, 3}, short_of{0, 2}, three{0, 1, 2, 3}, one{0, 3};
  CHECK_THROWS_WITH(sum_of_sets(x(3, 2), {}), "sum_of_sets: the offsets of the sets must start with 0.");
  CHECK_THROWS_WITH(sum_of_sets(x(3, 2), late), "sum_of_sets: the offsets of the sets must start with 0.");
  CHECK_THROWS_WITH(mean_of_sets(x(3, 2), back),
                    "mean_of_sets: offset 2 is 1, but the one before is 2; offsets must not decrease.");
  CHECK_THROWS_WITH(maximum_of_sets(x(3, 2), short_of),
                    "maximum_of_sets: the sets end at 2, but there are 3 rows; the last offset must be their number.");
  CHECK_THROWS_WITH(attention_pooling(x(3, 2), x(3, 2), one),
                    "attention_pooling: the scores are 3 x 2, but must be 3 x 1.");
  CHECK_THROWS_WITH(spread_over_sets(x(3, 2), one), "spread_over_sets: there are 1 sets, but 3 rows; each needs one.");
  std::vector<Index> joined(2);
  CHECK_THROWS_WITH(join_sets(x(3, 2), three, x(3, 2), one, joined),
                    "join_sets: one has 3 sets, the other 1; they must have as many.");
  CHECK_THROWS_WITH(join_sets(x(3, 2), one, x(3, 1), one, joined),
                    "join_sets: one has 2 columns, the other 1; they must have as many.");
  CHECK_THROWS_WITH(join_sets(x(3, 2), three, x(3, 2), three, joined),
                    "join_sets: there is room for 2 offsets, but there are 4.");
}

TEST_CASE("losses refuse weights, targets and classes that do not fit", "[learning][errors]") {
  Sizes x;
  const Matrix<double> targets = Matrix<double>::Zero(2, 3);
  const std::vector<double> two{1, 1}, below{1, -1}, levels{0.5, 0.5, 1};
  const std::vector<Index> classes{0, 3}, none;
  CHECK_THROWS_WITH(squared_loss<double>(x(2, 2), targets, {}, 1.0),
                    "squared_loss: the targets are 2 x 3, but must be 2 x 2.");
  CHECK_THROWS_WITH(squared_loss<double>(x(3, 3), targets, two, 1.0),
                    "squared_loss: there are 2 weights for 3 rows; each row needs one, or none has one.");
  CHECK_THROWS_WITH(logistic_loss<double>(x(2, 3), targets, below, 1.0),
                    "logistic_loss: a weight is -1, but must be >= 0.");
  CHECK_THROWS_WITH(poisson_loss<double>(x(2, 3), targets, two, 0.0),
                    "poisson_loss: the total of the weights is 0, but must be > 0.");
  CHECK_THROWS_WITH(quantile_loss<double>(x(2, 3), targets, two, two, 1.0),
                    "quantile_loss: there are 2 levels for 3 columns; each column needs one.");
  CHECK_THROWS_WITH(quantile_loss<double>(x(2, 3), targets, levels, two, 1.0),
                    "quantile_loss: a level is 1, but must be in (0, 1).");
  CHECK_THROWS_WITH(cross_entropy_loss<double>(x(2, 3), classes, two, 1.0),
                    "cross_entropy_loss: row 1 has class 3, but there are 3 logits; a class must be in [0, 3).");
  CHECK_THROWS_WITH(cross_entropy_loss<double>(x(2, 3), none, two, 1.0),
                    "cross_entropy_loss: there are 0 classes for 2 rows; each row needs one.");
}

}  // namespace
}  // namespace fovea::learning::test
