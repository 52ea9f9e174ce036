#include "fovea/tests/domains/nowcast/model_months.hpp"

#include "fovea/core/study/cases/days.hpp"

namespace fovea::nowcast {

namespace {

constexpr double kHeavy = 40;  ///< S

struct ModelToken {
  std::uint16_t kind;
  double size, age;
};

/// Those of a month, by class.
std::vector<ModelToken> tokens_of_month(Index month, const Random& random) {
  const auto entity = static_cast<std::uint64_t>(month);
  std::vector<ModelToken> tokens{{0, 0, 0}};
  for (const int kind : {1, 2})
    for (std::uint64_t n = random.below(4, entity, kind); month % 5 != 0 && n > 0; --n)
      tokens.push_back({static_cast<std::uint16_t>(kind), random.normal(entity, 10 * kind + n),
                        static_cast<double>(random.below(30, entity, 100 * kind + n))});
  for (const int kind : {3, 4})
    if (random.uniform(entity, kind) < 0.9)
      tokens.push_back({static_cast<std::uint16_t>(kind), 5 + 2 * random.normal(entity, 10 * kind), 0});
  return tokens;
}

}  // namespace

study::Cases model_months(Index count, const Random& random) {
  study::Cases cases;
  cases.features = {{"size", "1", {}, true}};
  cases.classes = {kNothing, "claims: surprise", "column: a", "column: b", "payrolls: surprise", "share prices: never"};
  constexpr std::uint16_t places[] = {0, 1, 4, 2, 3};  // of nothing, two kinds of events, two columns
  cases.time_unit = study::kMonthsSince1900;
  std::vector<float> values;
  for (Index month = 0; month < count; ++month) {
    std::vector<ModelToken> tokens = tokens_of_month(month, random);
    for (ModelToken& token : tokens) token.kind = places[token.kind];
    std::stable_sort(tokens.begin(), tokens.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
    for (const ModelToken& token : tokens) {
      values.push_back(static_cast<float>(token.size));
      cases.kinds.push_back(token.kind);
      cases.times.push_back(1000 + static_cast<double>(month) - token.age);
    }
    cases.offsets.push_back(std::ssize(values));
    cases.ends.push_back(1000 + static_cast<double>(month));
    cases.targets.push_back(random.uniform(static_cast<std::uint64_t>(month), 7) < 0.3 ? 1 : 0);
    cases.ids.push_back(concat("month ", month));
  }
  cases.values = Eigen::Map<Matrix<float>>(values.data(), std::ssize(values), 1);
  return cases;
}

std::vector<Index> all_months(const study::Cases& cases) {
  std::vector<Index> items(cases.count());
  std::iota(items.begin(), items.end(), Index{0});
  return items;
}

MadeModel::MadeModel(const NowcastModelSettings& made, Index count)
    : settings(made), cases(model_months(count, Random(3))) {
  preparation = study::prepare(cases, all_months(cases), target);
  member.model = make_nowcast_model(settings, study::shape_of(preparation, target), member.parameters, Random(5));
}

void MadeModel::move() {
  const Random random = Random(6).stream("moved");
  for (std::size_t i = 0; i < member.parameters.values().size(); ++i)
    member.parameters.values()[i] = static_cast<float>(0.5 * random.normal(i));
  table("ridge.factor").setConstant(0.4F), table("ridge.middle") << 4.5F, 5.25F;
  table("cases")(0, 0) = 20;
  for (Index head = 0; head < table("events.delay").cols(); ++head)
    for (Index kind = 0; kind < table("events.delay").rows(); ++kind)
      table("events.delay")(kind, head) =
          static_cast<float>((static_cast<double>(random.below(8, kind, head)) + 0.5 - settings.delays[head]) / 3);
}

study::Batch MadeModel::batch(learning::Tape<float>& tape, std::span<const Index> items) const {
  auto& tokens = tape.kept<learning::Tokens>();
  auto& kinds = tape.kept<std::vector<std::uint16_t>>();
  auto& ends = tape.kept<std::vector<double>>();
  const study::Cases some = study::selected(cases, {items.begin(), items.end()});
  tokens.offsets = some.offsets, tokens.times = some.times;
  kinds = some.kinds, ends = some.ends;
  return {tape.variable(study::prepared(preparation, some)), &tokens, kinds, ends, {}, items};
}

void MadeModel::look(std::span<const double> targets, std::span<const double> weights) {
  const std::vector<Index> items = all_months(cases);
  member.model->look(member.parameters, {items, targets, weights},
                     [&](learning::Tape<float>& tape, std::span<const Index> some) { return batch(tape, some); });
}

Matrix<double> MadeModel::outputs(const study::Cases& of, const std::vector<Index>& items, Index batch_tokens) const {
  return study::outputs_of(member, target, of, study::prepared(preparation, of), items, batch_tokens);
}

Matrix<double> MadeModel::sides(const study::Cases& of) const {
  std::vector<study::Member> one(1);
  one[0].parameters = member.parameters;
  learning::Parameters<float> ignored;
  one[0].model = make_nowcast_model(settings, study::shape_of(preparation, target), ignored, Random(5));
  return study::sides_of(one, of, study::prepared(preparation, of), all_months(of), 1000);
}

double MadeModel::plain(std::span<const double> parameters, std::span<const double> sizes, Index month) const {
  const auto heads = std::ssize(settings.delays);
  const auto at = [&](const char* name, Index row, Index column) {
    const learning::ParameterPlace& place = member.parameters.at(name).place;
    return parameters[place.begin + row * place.columns + column];
  };
  double sum = at("ridge.intercept", 0, 0) + at("events.intercept", 0, 0);
  std::vector<double> above(heads), below(heads, kHeavy);
  for (Index i = cases.offsets[month]; i < cases.offsets[month + 1]; ++i) {
    const Index kind = cases.kinds[i];
    if (cases.classes[kind].starts_with("column")) {
      const Index column = cases.classes[kind] == "column: a" ? 0 : 1;
      const double z = (sizes[i] - at("ridge.middle", 0, column)) * at("ridge.factor", 0, column);
      sum += at("ridge.weight", 0, column) * std::max(-settings.clip, std::min(settings.clip, z));
    } else if (cases.classes[kind] != kNothing) {
      for (Index head = 0; head < heads; ++head) {
        const double delay = std::max(0.0, settings.delays[head] + 3 * at("events.delay", kind, head)),
                     late = cases.ends[month] - cases.times[i] - delay,
                     half_life = settings.half_life * std::exp(at("events.log_half_life", kind, head));
        const double weight =
            std::exp(at("events.preference", kind, head)) * std::exp2(late > 0 ? -late / half_life : late);
        above[head] += weight * at("events.effect", kind, head) * sizes[i];
        below[head] += weight;
      }
    }
  }
  for (Index head = 0; head < heads; ++head) sum += kHeavy / 2 * above[head] / below[head];
  return sum;
}

}  // namespace fovea::nowcast
