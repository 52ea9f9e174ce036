// The example of core/study/README.md: a learned question.
#include <fovea/core/study/study.hpp>
#include <fovea/datasets/cases/case_file.hpp>

using namespace fovea;

class Toy : public study::LearnedTask {
 public:
  std::string_view name() const override { return "toy.rise"; }
  std::string_view summary() const override { return "do the recent readings of a case rise?"; }
  int result_version() const override { return 1; }
  void keys(Schema& schema) const override { schema.file("data.file", "CSV of readings"); }
  study::Target target(const Config&) const override { return {.name = "rise", .classes = {"falls", "rises"}}; }
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random&) const override {
    return datasets::cases::read_case_file(config.text("data.file"));
  }
};

bool a_question_has_its_own_keys_and_those_of_a_study() {
  const Schema schema = study::make_study(std::make_unique<Toy>())->schema();
  return schema.find("data.file") != nullptr && schema.find("ensemble.members") != nullptr;
}
