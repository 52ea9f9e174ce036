#pragma once
/// A matrix on a tape.

#include "fovea/core/base/matrix.hpp"

namespace fovea::learning {

template <typename Real>
class Tape;

/// A matrix on a tape: valid until the tape's next begin().
template <typename Real>
class Variable {
 public:
  Index rows() const { return node_->rows; }
  Index columns() const { return node_->columns; }
  Index size() const { return node_->rows * node_->columns; }
  Real* data() const { return node_->value; }  ///< row-major, without gaps
  Eigen::Map<Matrix<Real>> value() const { return {node_->value, node_->rows, node_->columns}; }
  Tape<Real>& tape() const { return *tape_; }

  /// Whether it is the same matrix of the pass, not only of the same numbers.
  bool is(const Variable& other) const { return node_ == other.node_; }
  /// Whether anybody wants its gradient.
  bool learns() const { return node_->learns; }
  /// dL/dvalue so far, for adding to it: zeros before the first addition.
  Real* gradient() const;
  Eigen::Map<Matrix<Real>> gradient_matrix() const { return {gradient(), node_->rows, node_->columns}; }
  /// For operations that can write as well as add: true the first time, when the caller must write every entry of
  /// gradient_memory(); false afterwards, when it must add.
  bool first_gradient() const;
  Real* gradient_memory() const { return node_->gradient; }

 private:
  friend class Tape<Real>;
  template <typename>
  friend class InnerPasses;
  struct Node {
    Real* value = nullptr;
    Real* gradient = nullptr;
    Index rows = 0, columns = 0;
    bool learns = false;
    bool touched = false;  ///< the gradient holds something
  };
  Variable(Tape<Real>* tape, Node* node) : tape_(tape), node_(node) {}
  Tape<Real>* tape_;
  Node* node_;
};

}  // namespace fovea::learning
