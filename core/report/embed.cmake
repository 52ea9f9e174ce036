# Writes the styles and the scripts of page/ and kinds/ as text constants into a header:
#   cmake -DOUTPUT=.../fovea_page_assets.hpp -P core/report/embed.cmake
set(folder "${CMAKE_CURRENT_LIST_DIR}/page")
file(GLOB kinds "${CMAKE_CURRENT_LIST_DIR}/kinds/*.js")  # of figures; they need nothing of each other
set(scripts data scales dates controls plot marks zoom cells legend curves ${kinds} contents export page)  # in the order in which they run

# Appends the file to a variable as raw string literals; compilers limit the length of one literal.
function(append_literals variable path)
  file(READ "${path}" text)
  if(text MATCHES "[^\t\n -~]")
    message(FATAL_ERROR "${path}: only ASCII may be embedded; write other characters as \\u escapes.")
  endif()
  string(LENGTH "${text}" length)
  set(literals "")
  set(start 0)
  while(start LESS length)
    string(SUBSTRING "${text}" ${start} 15000 piece)
    string(APPEND literals "R\"fovea(${piece})fovea\"\n")
    math(EXPR start "${start} + 15000")
  endwhile()
  set(${variable} "${${variable}}${literals}" PARENT_SCOPE)
endfunction()

append_literals(css "${folder}/page.css")
append_literals(css "${folder}/interaction.css")
append_literals(common "${folder}/common.js")          # of every page
append_literals(common "${folder}/sorting.js")
append_literals(collection "${folder}/collection.js")  # of a page of several runs
append_literals(index "${folder}/index.js")            # of the page of a folder of runs
foreach(script ${scripts})
  if(NOT IS_ABSOLUTE "${script}")
    set(script "${folder}/${script}.js")
  endif()
  append_literals(js "${script}")
endforeach()
file(WRITE "${OUTPUT}" "#pragma once
#include <string_view>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \"-Woverlength-strings\"  // compilers must take 64 KiB, ours take more
namespace fovea {
inline constexpr std::string_view kPageCss =
${css};
inline constexpr std::string_view kCommonJs =
${common};
inline constexpr std::string_view kCollectionJs =
${collection};
inline constexpr std::string_view kIndexJs =
${index};
inline constexpr std::string_view kPageJs =
${js};
}  // namespace fovea
#pragma GCC diagnostic pop
")
