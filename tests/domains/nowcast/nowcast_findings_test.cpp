#include "fovea/domains/nowcast/examine/answers.hpp"
#include "fovea/domains/nowcast/findings.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::nowcast {

TEST_CASE("what so few recessions can show is stated by their number", "[nowcast][findings]") {
  CHECK(FewRecessions{1}.sentence() ==
        "All figures rest on 1 recession, of which there are no intervals; a model can be right by luck.");
  CHECK(FewRecessions{4}.sentence() ==
        "All figures rest on 4 recessions: of two equally good models all of them would favour the same one by chance "
        "alone in 12.5 % of cases, so that no difference is more than a tie.");
  CHECK(FewRecessions{5}.sentence().find(" 6.25 % of cases") != std::string::npos);
  CHECK(FewRecessions{6}.sentence() ==
        "All figures rest on 6 recessions; intervals by drawing them are rough, and a model can be right by luck.");
  NowcastStands stands = NowcastStands::example();
  stands.better = 1;
  CHECK(stands.sentence().ends_with(": a tie; fewer than 6 recessions cannot tell."));
  stands.recessions = 6;
  CHECK(stands.sentence().ends_with(", worse by more than the 95 % interval over recessions."));
  stands.better = 0;
  CHECK(stands.sentence().ends_with(": a tie, by drawing recessions."));
  AttentionBesideRidge beside{0.0167, 0.0175, 0.0002, 0.0015, 4};
  CHECK(beside.sentence().ends_with("is 0.0002 to 0.0015; fewer than 6 recessions cannot tell."));
  beside.recessions = 6;
  CHECK(beside.sentence().ends_with(": attention improves it by more than the 95 % interval."));
}

TEST_CASE("recessions of the scored months are those that begin and end in them", "[nowcast][examine]") {
  ScoredMonths scored;
  scored.labels = {1, 0, 0, 1, 1, 1, 0};
  scored.months = {10, 11, 12, 13, 14, 20, 21};  // 15 to 19 are not known
  scored.items.resize(7);
  const auto recessions = scored.recessions();
  REQUIRE(recessions.size() == 3);
  CHECK((recessions[0].first == 10 && recessions[0].last == 10));
  CHECK((recessions[1].first == 13 && recessions[1].last == 14));
  CHECK((recessions[2].first == 20 && recessions[2].last == 20));
}

}  // namespace fovea::nowcast
