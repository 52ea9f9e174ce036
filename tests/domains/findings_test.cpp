/// Every kind of finding: a case in which it must be said, one in which it must not, and a sentence to read.

#include <regex>

#include "fovea/domains/registry.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea {

TEST_CASE("each kind of finding is said in its example and not in its counterexample", "[findings]") {
  const std::regex no_number("\\b(nan|inf)\\b", std::regex::icase), snake_case("[a-z]+(_[a-z0-9]+)*");
  std::set<std::string_view> names;
  for (const FindingKind& kind : all_finding_kinds()) {
    DYNAMIC_SECTION(kind.name) {
      const Finding example = kind.example();
      CHECK(kind.holds(example));
      CHECK_FALSE(kind.holds(kind.counterexample()));
      CHECK(kind.sentence(example) == example.sentence);  // of the members as they are kept
      CHECK(example.sentence.ends_with('.'));
      CHECK_FALSE(std::regex_search(example.sentence, no_number));
      CHECK(example.sentence.find("  ") == std::string::npos);
      CHECK(std::regex_match(std::string(kind.name), snake_case));
      CHECK_FALSE(kind.meaning.empty());
    }
    CHECK(names.insert(kind.name).second);  // named once
  }
}

}  // namespace fovea
