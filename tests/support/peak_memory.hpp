#pragma once
/// How much memory something takes.

namespace fovea::test {

/// The most memory this process has had resident; restart: counted from now on.
double peak_mebibytes(bool restart);

}  // namespace fovea::test
