#pragma once
/// How long half of a substance stays in the blood, from the literature, to set beside how long its value informs a
/// risk: the two need not agree.

#include <string>

namespace fovea::ehr::risk {

/// Hours, for a variable of the PhysioNet challenge 2012 whose half-life is known; NaN for others. ALT 47, AST 17
/// (Giannini, Testa, Savarino 2005); albumin 19 days (Peters 1995); troponin I 2.2, troponin T 4.0 (Kristensen et al.
/// 2024, after retransfusion; an injured heart releases it for days).
double literature_half_life(const std::string& variable);

/// The sources above, for a caption.
inline constexpr const char* kLiterature =
    "Giannini et al. 2005 for ALT and AST, Peters 1995 for albumin, Kristensen et al. 2024 for troponins";

}  // namespace fovea::ehr::risk
