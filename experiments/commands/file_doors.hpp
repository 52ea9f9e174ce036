#pragma once
/// Which command takes a file: for `fovea inspect`, and for whoever brought it to another one.

#include <string>
#include <vector>

namespace fovea::command {

/// What a domain says of a file that it takes.
struct FileDoor {
  std::string domain, name, command;
};
/// Of all domains that know the file, those of `but` alone left out.
std::vector<FileDoor> doors_of_file(const std::string& path, const std::string& but = "");

/// "It looks like a survey: fovea measure answers.csv"; "" where no other domain knows the file, or that of `but` does.
std::string other_door(const std::string& path, const std::string& but);

/// The complaint of a reader about a file, with the way to the reader that knows the file. words: the command line.
std::string with_other_door(const std::string& complaint, const std::vector<std::string>& words);

}  // namespace fovea::command
