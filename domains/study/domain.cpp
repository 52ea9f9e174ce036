#include "fovea/core/lab/domain.hpp"

#include "fovea/domains/study/examples.hpp"
#include "fovea/domains/study/findings.hpp"
#include "fovea/domains/study/inspect/inspection.hpp"
#include "fovea/domains/study/table/table.hpp"

namespace fovea::study {

Domain domain() {
  return {"study",
          "a learned question of one's own, asked of any table of cases",
          {&table::make_table},
          {},
          {},
          {inspect::inspection()},
          {},
          {},
          finding_kinds<MayBeCodes, OthersTogether>(),
          {},
          examples()};
}

}  // namespace fovea::study
