#include "fovea/domains/mechanism/tasks/memory_task.hpp"

#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::mechanism::tasks {

namespace {

/// Parameters of MemoryModel: attention.
Index attention_parameters(Index inputs, Index symbols, Index width, Index head) {
  return (inputs + 1) * width + 3 * (width + 1) * head + (head + 1) * width + (width + 1) * symbols;
}

/// Parameters of MemoryModel: gru.
Index gru_parameters(Index inputs, Index symbols, Index width) {
  return 3 * width * (inputs + 1) + 3 * width * (width + 1) + (width + 1) * symbols;
}

/// One step of gru_states() of operations.hpp, from the weights.
class GruStep {
 public:
  explicit GruStep(const learning::Parameters<double>& gru)
      : input_(gru.matrix(gru.at("gru.input.weight").place)),
        input_bias_(gru.matrix(gru.at("gru.input.bias").place)),
        state_(gru.matrix(gru.at("gru.state.weight").place)),
        state_bias_(gru.matrix(gru.at("gru.state.bias").place)) {}
  Index width() const { return state_.rows(); }
  Eigen::RowVectorXd operator()(const Eigen::RowVectorXd& h, Index column) const {
    const Eigen::RowVectorXd x = input_.row(column) + input_bias_, u = h * state_ + state_bias_;
    Eigen::RowVectorXd next(width());
    for (Index c = 0; c < width(); ++c) {
      const double r = logistic(x[c] + u[c]), z = logistic(x[width() + c] + u[width() + c]);
      const double n = 2 * logistic(2 * (x[2 * width() + c] + r * u[2 * width() + c])) - 1;  // tanh
      next[c] = (1 - z) * n + z * h[c];
    }
    return next;
  }

 private:
  static double logistic(double x) { return 1 / (1 + exponential(-x)); }
  Matrix<double> input_, input_bias_, state_, state_bias_;
};

}  // namespace

MemoryTask memory_task(const MemorySettings& settings, std::span<const Index> delays, const Random& random) {
  const Random leads = random.stream("leads"), symbols = random.stream("symbols");
  MemoryTask task;
  for (std::size_t e = 0; e < delays.size(); ++e) {
    require(delays[e] >= 1, "memory_task: a delay of ", delays[e], " steps; must be at least 1.");
    const auto lead = static_cast<Index>(leads.below(static_cast<std::uint64_t>(settings.longest_lead + 1), e));
    task.cues.push_back(lead);
    task.sets.offsets.push_back(task.sets.offsets.back() + lead + delays[e] + 1);
  }
  task.sets.tokens = Matrix<float>::Zero(task.sets.offsets.back(), settings.symbols + 2);
  for (std::size_t e = 0; e < delays.size(); ++e) {
    auto rows = task.sets.tokens.middleRows(task.sets.offsets[e], task.sets.size(static_cast<Index>(e)));
    for (Index i = 0; i + 1 < rows.rows(); ++i) {
      const auto symbol = static_cast<Index>(
          symbols.below(static_cast<std::uint64_t>(settings.symbols), e, static_cast<std::uint64_t>(i)));
      rows(i, symbol) = 1;
      if (i != task.cues[e]) continue;
      rows(i, settings.symbols) = static_cast<float>(settings.mark);
      task.symbols.push_back(symbol);
    }
    rows(rows.rows() - 1, settings.symbols + 1) = 1;
  }
  return task;
}

MemoryWidths matched_widths(const MemorySettings& settings, Index gru) {
  const Index inputs = settings.symbols + 2, wanted = gru_parameters(inputs, settings.symbols, gru);
  MemoryWidths best;
  Index smallest = std::numeric_limits<Index>::max();
  for (Index width = std::max<Index>(1, gru - 4); width <= gru + 4; ++width)
    for (Index head = 1; head <= 4 * gru; ++head) {
      const Index off = std::abs(attention_parameters(inputs, settings.symbols, width, head) - wanted);
      // of widths that fit equally well, the most alike
      if (off > smallest || (off == smallest && std::abs(width - head) >= std::abs(best.attention - best.head_columns)))
        continue;
      smallest = off;
      best = {gru, width, head};
    }
  return best;
}

template <typename Real>
MemoryModel<Real>::MemoryModel(MemoryKind kind, const MemorySettings& settings, const MemoryWidths& widths,
                               const Random& random) {
  const Index inputs = settings.symbols + 2;
  if (kind == MemoryKind::gru) {
    gru_.emplace(parameters, "gru", inputs, widths.gru, random);
    answer_.emplace(parameters, "answer", widths.gru, settings.symbols, random);
    return;
  }
  learning::AttentionSettings<Real> attention;
  attention.width = widths.attention;
  attention.head_columns = widths.head_columns;
  embedding_.emplace(parameters, "embedding", inputs, widths.attention, random);
  attention_.emplace(parameters, "attention", attention, random);
  answer_.emplace(parameters, "answer", widths.attention, settings.symbols, random);
}

template <typename Real>
learning::Variable<Real> MemoryModel<Real>::logits(learning::Variable<Real> x, const learning::Tokens& tokens) const {
  learning::Tape<Real>& tape = x.tape();
  auto& questions = tape.template kept<learning::Tokens>();
  questions.offsets.resize(tokens.sets() + 1);
  Index* const last = tape.index_room(tokens.sets());
  for (Index b = 0; b < tokens.sets(); ++b) {
    last[b] = tokens.offsets[b + 1] - 1;
    questions.offsets[b + 1] = b + 1;
  }
  const std::span<const Index> rows{last, static_cast<std::size_t>(tokens.sets())};
  if (gru_) return (*answer_)(learning::gather_rows((*gru_)(x, tokens), rows));
  const learning::Variable<Real> e = (*embedding_)(x), question = learning::gather_rows(e, rows);
  return (*answer_)(learning::add(question, (*attention_)(question, questions, e, tokens)));
}

template class MemoryModel<float>;
template class MemoryModel<double>;

std::vector<double> gradient_at_cue(const MemoryModel<double>& model, const MemoryTask& task, Index symbols) {
  std::vector<double> norms;
  learning::Tape<double> tape;
  std::vector<double> gradients(model.parameters.size());
  for (Index e = 0; e < task.sets.count(); ++e) {
    tape.begin(&model.parameters, gradients);
    learning::Tokens tokens;
    tokens.offsets = {0, task.sets.size(e)};
    const Matrix<double> rows = task.sets.tokens.middleRows(task.sets.begin(e), task.sets.size(e)).cast<double>();
    const learning::Variable<double> x = tape.variable(rows);
    const std::vector<Index> other{(task.symbols[e] + 1 + e % (symbols - 1)) % symbols};
    tape.backward(learning::cross_entropy_loss<double>(model.logits(x, tokens), other, {}, 1.0));
    norms.push_back(x.gradient_matrix().row(task.cues[e]).norm());
  }
  return norms;
}

double rate_of_forgetting(const learning::Parameters<double>& gru, const MemorySettings& settings, Index steps,
                          const Random& random) {
  constexpr double kApart = 1e-7;  // rounding 1e-16 / 1e-7, curvature 1e-7
  constexpr Index kTransient = 200;
  const GruStep step(gru);
  Eigen::RowVectorXd h = Eigen::RowVectorXd::Zero(step.width());
  Eigen::RowVectorXd apart = Eigen::RowVectorXd::Constant(step.width(), kApart / std::sqrt(step.width()));
  double sum = 0;
  for (Index t = 0; t < kTransient + steps; ++t) {
    const auto column =
        static_cast<Index>(random.below(static_cast<std::uint64_t>(settings.symbols), static_cast<std::uint64_t>(t)));
    const Eigen::RowVectorXd beside = step(h + apart, column);
    h = step(h, column);
    apart = beside - h;
    const double growth = apart.norm() / kApart;
    if (t >= kTransient) sum -= logarithm(growth);
    apart /= growth;
  }
  return sum / static_cast<double>(steps);
}

}  // namespace fovea::mechanism::tasks
