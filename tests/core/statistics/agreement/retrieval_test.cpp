/// Searches: by hand, against scikit-learn (tests/golden/statistics/agreement.py), ties and chance.

#include "fovea/core/statistics/agreement/retrieval.hpp"
#include "fovea/tests/support/test.hpp"

TEST_CASE("places of what is right by hand, ties counted against", "[statistics][retrieval]") {
  Matrix<double> scores(3, 4);
  scores << 0.9, 0.1, 0.2, 0.3,  //
      0.5, 0.5, 0.5, 0.1,        //
      0.7, 0.8, -INFINITY, 0.9;
  const std::vector<Index> places = places_of_right(scores, std::vector<Index>{0, 1, 2});
  CHECK(places == std::vector<Index>{1, 3, 4});
  CHECK(recall_at(places, 1) == Approx(1.0 / 3));
  CHECK(recall_at(places, 2) == Approx(1.0 / 3));
  CHECK(recall_at(places, 3) == Approx(2.0 / 3));
  CHECK(recall_at(places, 100) == 1);
  const std::vector<Index> blind = places_of_right(Matrix<double>::Ones(2, 5), std::vector<Index>{0, 4});
  CHECK(recall_at(blind, 4) == 0);
}

TEST_CASE("recall@k is scikit-learn's top-k accuracy", "[statistics][retrieval]") {
  Matrix<double> scores(9, 9);
  std::vector<Index> right;
  for (Index q = 0; q < 9; ++q) {
    right.push_back(q);
    for (Index k = 0; k < 9; ++k) scores(q, k) = std::sin(static_cast<double>(3 * q + 2 * k));
  }
  const std::vector<Index> places = places_of_right(scores, right);
  CHECK(recall_at(places, 1) == 0);
  CHECK(recall_at(places, 3) == Approx(1.0 / 3));
  CHECK(recall_at(places, 5) == Approx(5.0 / 9));
}

TEST_CASE("by chance recall@k is k over the candidates", "[statistics][retrieval][limit]") {
  const Random random(11);
  Matrix<double> scores(2000, 20);
  for (Index i = 0; i < scores.size(); ++i) scores.data()[i] = random.uniform(static_cast<std::uint64_t>(i));
  const std::vector<Index> places = places_of_right(scores, std::vector<Index>(2000, 7));
  CHECK(std::abs(recall_at(places, 5) - 0.25) < 4 * std::sqrt(0.25 * 0.75 / 2000));
}

TEST_CASE("a search without scores or with a wrong candidate is refused", "[statistics][retrieval][fault]") {
  CHECK_THROWS_AS(places_of_right(Matrix<double>::Zero(1, 3), std::vector<Index>{3}), ArgumentError);
  CHECK_THROWS_AS(places_of_right(Matrix<double>::Zero(2, 3), std::vector<Index>{1}), ArgumentError);
  CHECK_THROWS_AS(places_of_right(Matrix<double>::Constant(1, 3, NAN), std::vector<Index>{1}), ArgumentError);
  CHECK_THROWS_AS(recall_at(std::vector<Index>{}, 1), ArgumentError);
  CHECK_THROWS_AS(recall_at(std::vector<Index>{0}, 1), ArgumentError);
  CHECK_THROWS_AS(recall_at(std::vector<Index>{1}, 0), ArgumentError);
}
