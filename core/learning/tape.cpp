#include "fovea/core/learning/tape.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "fovea/core/base/error.hpp"

namespace fovea::learning {

template <typename Real>
Real* Variable<Real>::gradient() const {
  if (first_gradient()) std::fill(node_->gradient, node_->gradient + size(), Real(0));
  return node_->gradient;
}

template <typename Real>
bool Variable<Real>::first_gradient() const {
  if (!node_->gradient) node_->gradient = tape_->gradient_room(size());
  const bool first = !node_->touched;
  node_->touched = true;
  return first;
}

template <typename Real>
void Tape<Real>::clear() {
  steps_.clear();
  spare_.clear();
  arena_.clear();
  for (Pool& pool : pools_) pool.used = 0;
  random_operations_ = 0;
}

template <typename Real>
void Tape<Real>::begin(const Parameters<Real>* parameters, std::span<Real> gradients, const Pass& pass) {
  const Index expected = parameters ? parameters->size() : 0;
  const Index got = static_cast<Index>(gradients.size());
  require(got == 0 || got == expected, "tape: there are ", expected, " parameters, but room for the gradients of ", got,
          ".");
  clear();
  parameters_ = parameters;
  gradients_ = gradients;
  pass_ = pass;
}

template <typename Real>
typename Tape<Real>::Node* Tape<Real>::node(Real* value, Index rows, Index columns, bool learns) {
  return new (arena_.take<Node>(1)) Node{value, nullptr, rows, columns, learns, false};
}

template <typename Real>
Variable<Real> Tape<Real>::input(const Matrix<Real>& matrix) {
  return {this, node(const_cast<Real*>(matrix.data()), matrix.rows(), matrix.cols(), false)};
}

template <typename Real>
Variable<Real> Tape<Real>::constant(Index rows, Index columns) {
  return {this, node(room(rows * columns), rows, columns, false)};
}

template <typename Real>
Variable<Real> Tape<Real>::variable(const Matrix<Real>& matrix) {
  Variable<Real> copy(this, node(room(matrix.size()), matrix.rows(), matrix.cols(), true));
  std::copy_n(matrix.data(), matrix.size(), copy.data());
  return copy;
}

template <typename Real>
Variable<Real> Tape<Real>::parameter(const ParameterPlace& place) {
  require(parameters_ && place.begin + place.size() <= parameters_->size(),
          "tape: a parameter that begin() was not given.");
  const auto& entries = parameters_->entries();
  const auto entry = std::partition_point(entries.begin(), entries.end(),
                                          [&](const auto& e) { return e.place.begin + e.place.size() <= place.begin; });
  auto* const values = const_cast<Real*>(parameters_->values().data()) + place.begin;
  const bool learns = !gradients_.empty() && place.size() > 0 && entry->learns;  // an empty one may be behind the last
  Node* const made = node(values, place.rows, place.columns, learns);
  if (made->learns) {
    made->gradient = gradients_.data() + place.begin;
    made->touched = true;  // it is added to what is there
  }
  return {this, made};
}

template <typename Real>
Variable<Real> Tape<Real>::result(Index rows, Index columns, std::span<const Variable<Real>> from) {
  return result_at(room(rows * columns), rows, columns, from);
}

template <typename Real>
Variable<Real> Tape<Real>::result(Index rows, Index columns, std::initializer_list<Variable<Real>> from) {
  return result(rows, columns, std::span<const Variable<Real>>(from.begin(), from.size()));
}

template <typename Real>
Variable<Real> Tape<Real>::result_at(Real* values, Index rows, Index columns, std::span<const Variable<Real>> from) {
  const bool learns = std::any_of(from.begin(), from.end(), [](const auto& x) { return x.learns(); });
  return {this, node(values, rows, columns, learns)};
}

template <typename Real>
typename Tape<Real>::Pool& Tape<Real>::pool(std::type_index type) {
  for (Pool& pool : pools_)
    if (pool.type == type) return pool;
  pools_.push_back({type, {}, 0});
  return pools_.back();
}

template <typename Real>
typename Tape<Real>::Mark Tape<Real>::mark() const {
  Mark mark{arena_.mark(), {}};
  for (const Pool& pool : pools_) mark.objects.push_back(pool.used);
  return mark;
}

template <typename Real>
Variable<Real> Tape<Real>::forget(const Mark& mark, Variable<Real> y) {
  if (y.learns()) return y;
  const Real* const values = y.data();
  const Index rows = y.rows(), columns = y.columns();
  for (std::size_t p = 0; p < mark.objects.size(); ++p)
    require(p < pools_.size() && mark.objects[p] <= pools_[p].used, "tape: forget() wants a mark of this pass.");
  // Kept objects stay in use: whoever keeps one finds it as the last pass left it, so their order must not change.
  if (!arena_.restore(mark.arena)) return y;
  Real* const to = room(rows * columns);  // it may overlap the values
  std::memmove(to, values, rows * columns * sizeof(Real));
  return {this, node(to, rows, columns, false)};
}

/// Memory of a gradient of that size, used again while it is in the cache.
template <typename Real>
Real* Tape<Real>::gradient_room(Index count) {
  for (auto spare = spare_.rbegin(); spare != spare_.rend(); ++spare) {
    if (spare->first != count) continue;
    Real* const memory = spare->second;
    spare_.erase(std::next(spare).base());
    return memory;
  }
  return room(count);
}

template <typename Real>
Tape<Real>& Tape<Real>::inner() {
  if (!inner_) inner_ = std::make_unique<Tape>();
  return *inner_;
}

template <typename Real>
void Tape<Real>::backward(Variable<Real> loss) {
  require(loss.rows() == 1 && loss.columns() == 1, "backward: the loss is ", loss.rows(), " x ", loss.columns(),
          ", but must be one number.");
  if (!loss.learns()) return;
  loss.gradient()[0] += Real(1);
  run_back();
}

/// From the last note to the first.
template <typename Real>
void Tape<Real>::run_back() {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    Node* const y = step->result;
    if (!y->touched) continue;
    step->run(step->closure);
    const bool last = std::next(step) == steps_.rend() || std::next(step)->result != y;
    if (last && y->gradient) spare_.emplace_back(y->rows * y->columns, y->gradient);
  }
}

template class Variable<float>;
template class Variable<double>;
template class Tape<float>;
template class Tape<double>;

}  // namespace fovea::learning
