#pragma once
/// Which command takes a file: for `fovea inspect`, and for whoever brought it to another one.

#include <string>
#include <vector>

#include "fovea/core/lab/domain.hpp"

namespace fovea::command {

/// The ways to the domains that know the file by its content, those of `but` left out: "If it is a survey: fovea
/// measure answers.csv", or "What it holds: fovea inspect stays.csv".
std::vector<std::string> ways_with(const std::string& path, const std::vector<std::string>& but = {});

/// The ways to other domains for a file that `mine` takes without recognising it, while they do; one sentence, or "".
std::string doubt_about(const std::string& path, const Domain& mine);

/// The complaint of a reader about a file, with the way to a domain that knows it; as it is where the domain that the
/// command line asks knows the file. words: the command line.
/// A config in place of data is called one.
std::string with_other_way(const std::string& complaint, const std::vector<std::string>& words);

}  // namespace fovea::command
