#include "fovea/domains/nowcast/peers/peers.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea::nowcast::peers {

namespace {

void check_question(const PeerQuestion& question) {
  constexpr double kLargest = 1e30;  // what a float and a sum of squares hold
  const Index rows = question.columns.rows();
  require(rows == std::ssize(question.labels), "a peer's question: there are ", rows, " rows and ",
          question.labels.size(), " labels; each row needs one.");
  require(question.columns.cols() > 0, "a peer's question: there are no columns; at least one is needed.");
  require(question.first >= 0 && question.first <= rows && question.delay >= 0 && question.refit >= 1,
          "a peer's question: first is ", question.first, ", delay is ", question.delay, ", refit is ", question.refit,
          "; they must be in [0, ", rows, "], at least 0 and at least 1.");
  for (const double y : question.labels)
    require(y == 0 || y == 1 || std::isnan(y), "a peer's question: a label is ", y, ", but must be 0, 1 or NaN.");
  for (Index i = 0; i < question.columns.size(); ++i) {
    const double x = question.columns.data()[i];
    require(std::isnan(x) || std::abs(x) <= kLargest, "a peer's question: a value is ", x, "; it can be at most ",
            kLargest, " in size, and NaN where none is known.");
  }
}

}  // namespace

std::vector<double> answers_by_blocks(const PeerQuestion& question,
                                      const std::function<RowAnswer(Index begin, Index end)>& learn) {
  check_question(question);
  std::vector<double> answers(question.labels.size(), kNan);
  for (Index begin = question.first; begin < question.columns.rows(); begin += question.refit) {
    const Index end = std::min(begin + question.refit, question.columns.rows());
    const RowAnswer answer = learn(begin, end);
    for (Index t = begin; answer && t < end; ++t) answers[t] = answer(t);
  }
  return answers;
}

std::vector<Index> teaching_rows(const PeerQuestion& question, Index begin) {
  std::vector<Index> rows;
  for (Index s = 0; s < begin && s + question.delay <= begin; ++s)
    if (!std::isnan(question.labels[s]) && question.columns.row(s).allFinite()) rows.push_back(s);
  return rows;
}

}  // namespace fovea::nowcast::peers
