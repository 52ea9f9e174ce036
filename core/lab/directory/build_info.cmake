# Writes the header that says which build this is. Runs with every build and touches the file only when it changes.
execute_process(COMMAND git -C "${SOURCE}" rev-parse HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
else()
  execute_process(COMMAND git -C "${SOURCE}" status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit "+changes")
  endif()
endif()
string(STRIP "${FLAGS}" FLAGS)
set(text "#pragma once
namespace fovea {
inline constexpr const char* kVersion = \"${VERSION}\";
inline constexpr const char* kCommit = \"${commit}\";
inline constexpr const char* kCompiler = \"${COMPILER}\";
inline constexpr const char* kFlags = \"${FLAGS}\";
inline constexpr const char* kBuildType = \"${BUILD_TYPE}\";
}  // namespace fovea
")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE "${OUTPUT}" "${text}")
endif()
