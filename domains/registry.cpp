#include "fovea/domains/registry.hpp"

#include "fovea/core/data/verdict.hpp"
#include "fovea/core/study/cases/reading_findings.hpp"
#include "fovea/core/study/predict/unfamiliar.hpp"
#include "fovea/core/study/report/doubts.hpp"

/// One line a domain, alphabetical: the name of its folder.
#define FOVEA_DOMAINS(DOMAIN) \
  DOMAIN(ehr)                 \
  DOMAIN(fusion)              \
  DOMAIN(imaging)             \
  DOMAIN(lag)                 \
  DOMAIN(mechanism)           \
  DOMAIN(nowcast)             \
  DOMAIN(opinion)             \
  DOMAIN(particle)            \
  DOMAIN(study)

namespace fovea {

#define FOVEA_DECLARE(name) \
  namespace name {          \
  Domain domain();          \
  }
FOVEA_DOMAINS(FOVEA_DECLARE)
#undef FOVEA_DECLARE

const std::vector<Domain>& domains() {
#define FOVEA_CALL(name) name::domain(),
  static const std::vector<Domain> all{FOVEA_DOMAINS(FOVEA_CALL)};
#undef FOVEA_CALL
  return all;
}

const Domain* find_domain(std::string_view name) {
  for (const Domain& domain : domains())
    if (domain.name == name) return &domain;
  return nullptr;
}

Catalogue all_experiments() {
  Catalogue catalogue;
  for (const Domain& domain : domains())
    for (const MakeExperiment make : domain.experiments) catalogue.add(make());
  return catalogue;
}

std::vector<FindingKind> all_finding_kinds() {
  std::vector<FindingKind> kinds = statement_finding_kinds();
  const auto add = [&](const std::vector<FindingKind>& more) { kinds.insert(kinds.end(), more.begin(), more.end()); };
  add(study::study_finding_kinds());
  add(study::reading_finding_kinds());
  add(study::unfamiliar_finding_kinds());
  for (const Domain& domain : domains()) add(domain.findings);
  return kinds;
}

}  // namespace fovea
