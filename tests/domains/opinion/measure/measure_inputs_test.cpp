/// opinion.measure: surveys and networks as people bring them. Codes and words of missing answers, tiny groups, sides
/// that are not known, opinions among the attributes of a graph document.

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/survey/marks.hpp"
#include "fovea/tests/domains/opinion/measure/measured.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace measure_inputs {

namespace {

/// Files of a test, and what measure makes of them.
class Inputs {
 public:
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name), std::ios::binary) << text;
    return folder_.file(name);
  }

  Results measured(std::vector<std::string> settings) const {
    const bool draws_given = std::any_of(settings.begin(), settings.end(),
                                         [](const std::string& one) { return one.starts_with("bootstrap.draws"); });
    if (!draws_given) settings.emplace_back("bootstrap.draws=40");
    settings.emplace_back("null.draws=5");
    return support::measured(settings);
  }

  /// What is said without the folder; "" if the files are measured.
  std::string refusal(const std::vector<std::string>& settings) const {
    std::string what = support::refusal_of<std::exception>([&] { measured(settings); });
    for (std::size_t at = what.find(folder_.path()); at != std::string::npos; at = what.find(folder_.path()))
      what.erase(at, folder_.path().size() + 1);
    return what;
  }

 private:
  const TemporaryFolder folder_;
};

const std::string kTriangles = "source,target\na,b\nb,c\na,c\nd,e\ne,f\nd,f\nc,d\n";

}  // namespace

TEST_CASE("codes of missing answers are recognised where no answer can be meant", "[opinion][measure][marks]") {
  const auto refusal = [](std::vector<double> values) {
    return support::refusal_of<DataError>([&] { survey::refuse_suspected_codes("s.csv", "q", values); });
  };
  std::vector<double> scale{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const auto with = [&](std::vector<double> more) {
    more.insert(more.end(), scale.begin(), scale.end());
    return more;
  };
  CHECK(refusal(with({77, 88, 88, 99})) ==
        "s.csv: column 'q' holds 77 (1 time), 88 (2 times) and 99 (1 time), far from its other answers (0 to 10); if "
        "they mark missing answers, name them with data.missing (--missing 77,88,99), else say that none do (--missing "
        "none).");
  CHECK(refusal(with({-99, 97})).find("--missing -99,97") != std::string::npos);
  CHECK(refusal(scale).empty());
  CHECK(survey::hint_of_codes(scale).empty());
  // American National Election Studies: -9 refused, -8 do not know
  scale = {1, 2, 3, 4, 5, 6, 7};
  CHECK(refusal(with({-9, -8, 99}))
            .find("holds -9 (1 time), -8 (1 time) and 99 (1 time), far from its other answers (1 "
                  "to 7)") != std::string::npos);
  CHECK(refusal(with({-9, -8})).find("holds -9 (1 time) and -8 (1 time), below its other answers (1 to 7)") !=
        std::string::npos);
  // World Values Survey: it could be a scale, so it is a hint.
  scale = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK(refusal(with({-1, -2, -5})).empty());
  CHECK(survey::hint_of_codes(with({-1, -2})) ==
        "Besides answers from 1 to 10 there are -2 (1 time) and -1 (1 time): if they mark missing answers, name them "
        "with data.missing (--missing -2,-1).");
  scale = {1, 2, 3, 4, 5, 5, 5};
  CHECK(refusal(with({8, 9})).empty());
  CHECK(survey::hint_of_codes(with({8})).find("--missing 8)") != std::string::npos);
  // Scales about 0, per cent, years and measured opinions hold no codes.
  std::vector<double> percent, years;
  for (int k = 0; k <= 100; ++k) percent.push_back(k);
  for (int k = 18; k < 100; ++k) years.push_back(k);
  for (const std::vector<double>& values : {std::vector<double>{-1, 1, 1, 1, 1},
                                            {-3, -2, -1, 0, 1, 2, 3, 1, 1, 1, 1, 1, 1},
                                            {-2, -1, 0, 1, 2, 3, 4, 5, 1, 1, 2},
                                            {-0.5, 0.25, 1.5, 2, 2, 2},
                                            percent,
                                            years,
                                            std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}}) {
    CHECK(refusal(values).empty());
    CHECK(survey::hint_of_codes(values).empty());
  }
}

TEST_CASE("words of missing answers are named, and other words refused with all there are",
          "[opinion][measure][marks]") {
  const Inputs files;
  const std::string path =
      files.put("s.csv", "id,q\n1,1\n2,Refused\n3,5\n4,don't know\n5,3\n6,refused\n7,99\n8,4\n9,2\n");
  const std::vector<std::string> of{"data.file=" + path, "data.value=q"};
  CHECK(files.refusal(of) ==
        "s.csv: column 'q' holds words: 'Refused' (1 row), 'don't know' (1 row), 'refused' (1 row); name those that "
        "mark missing answers with data.missing (--missing \"Refused,don't know,refused\"), and write numbers for the "
        "others.");
  std::vector<std::string> named = of;
  named.emplace_back("data.missing=[\"refused\", \"Don't know\", \"99\"]");
  const Results found = files.measured(named);
  CHECK(support::value_of(found, "mean") == 3);
  CHECK(support::has_note(found, "4 of 9 rows have no answer and are left out."));
  const std::string alone = files.put("alone.csv", "q\nAgree\nDisagree\nAgree\n");
  CHECK(files.refusal({"data.file=" + alone}) ==
        "alone.csv: column 'q' holds words alone: 'Agree' (2 rows), 'Disagree' (1 row); name them in their order, the "
        "lowest "
        "first, with data.levels (--levels), or name another column with data.value (--value).");
  const std::string labels = files.put("labels.csv", "q\n1 - Disagree\n3 (neutral)\n5 = agree\n-1: no answer\n3\n");
  const Results labelled = files.measured({"data.file=" + labels, "data.missing=[\"-1\"]"});
  CHECK(support::value_of(labelled, "mean") == 3);
  CHECK(support::has_note(labelled, "Answers with a label are read as the number before it: '1 - Disagree' is one."));
  CHECK(survey::labelled_number(" 4,5 %") == 4.5);
  for (const char* none : {"3rd", "2020-01-05", "5 km", "-", "- a", "agree", "1 -", "1.5 - x"})
    CHECK_FALSE(survey::labelled_number(none));
  named.back() = "data.missing=[\"none\", \"refused\"]";
  CHECK(files.refusal(named).find("give none alone") != std::string::npos);
}

TEST_CASE("answers off the scale are all named at once, and waves that end in a number follow it",
          "[opinion][measure]") {
  const Inputs files;
  const std::string path = files.put("s.csv", "q\n3\n88\n4\n77\n88\n");
  CHECK(files.refusal({"data.file=" + path, "data.scale=\"0..10\""}) ==
        "s.csv:row 3, column 'q': off the scale 0..10 are 77 (1 time) and 88 (2 times); if they mark missing answers, "
        "name them with data.missing (--missing 77,88).");
  CHECK(files.refusal({"data.file=" + files.put("e.csv", kTriangles)}).find("a network is given by --edges.") !=
        std::string::npos);
  const std::string waves = files.put("w.csv", "wave,q\nWave 1,1\nWave 10,2\nWave 2,3\nWave 2,1\n");
  CHECK(std::get<std::vector<std::string>>(
            files.measured({"data.file=" + waves, "data.value=q", "data.by=[\"wave\"]"}).data.at("group").values) ==
        std::vector<std::string>{"Wave 1", "Wave 2", "Wave 10"});
  const std::string same = files.put("c.csv", "q\n4\n4\n4\n");
  CHECK(support::has_note(files.measured({"data.file=" + same}), "All answers are 4: there is no spread to measure"));
}

TEST_CASE("respondents who are not known are no single unit, and years lose a decimal zero", "[opinion][measure]") {
  const Inputs files;
  std::string rows = "pid,year,q\n";
  for (int k = 0; k < 200; ++k)
    rows += concat(k % 2 == 0 ? "NA" : concat(k), ",", k < 100 ? "2010.0" : "2012.0", ",", 1 + k % 7, "\n");
  const Results found = files.measured({"data.file=" + files.put("p.csv", rows), "data.value=q", "data.by=[\"year\"]",
                                        "data.respondent=pid", "bootstrap.draws=200"});
  CHECK(
      support::has_note(found, "100 of 200 rows have no respondent: they are drawn by themselves for the intervals."));
  CHECK(std::get<std::vector<std::string>>(found.data.at("group").values)[0] == "year 2010");
  // 100 answers with sd 2 each: the interval is about 4 * 0.2 wide; half of them drawn together would make it 2.
  CHECK(support::value_of(found, "mean", "high") - support::value_of(found, "mean", "low") < 1.1);
}

TEST_CASE("an interval holds its value or is not given", "[opinion][measure][statistics]") {
  const Inputs files;
  std::string rows = "q\n";
  for (int k = 0; k < 300; ++k) rows += concat(1 + (k * k + k / 7) % 7, "\n");
  const Results found = files.measured({"data.file=" + files.put("s.csv", rows), "bootstrap.draws=400"});
  for (const std::string& name : std::get<std::vector<std::string>>(found.data.at("measure").values)) {
    INFO(name);
    const double value = support::value_of(found, name), low = support::value_of(found, name, "low"),
                 high = support::value_of(found, name, "high");
    CHECK((std::isnan(low) || (low <= value && value <= high)));
  }
  CHECK_FALSE(std::isnan(support::value_of(found, "sd", "low")));
}

TEST_CASE("a single answer has no interval, and few answers do not speak in the summary", "[opinion][measure]") {
  const Inputs files;
  std::string rows = "year,country,q\n";
  for (const char* year : {"2010", "2020"}) {
    for (int k = 0; k < 60; ++k) rows += concat(year, ",Germany,", 1 + k % 7, "\n");
    rows += concat(year, ",Malta,", year[2] == '1' ? 1 : 7, "\n", year, ",Monaco,2\n", year, ",Monaco,4\n");
  }
  const Results found = files.measured({"data.file=" + files.put("s.csv", rows), "data.value=q",
                                        "data.by=[\"year\", \"country\"]", "data.scale=\"1..7\""});
  CHECK(support::value_of(found, "mean", "value", 2) == 1);  // Malta 2010
  CHECK(std::isnan(support::value_of(found, "mean", "low", 2)));
  CHECK(std::isnan(support::value_of(found, "sd", "high", 3)));
  CHECK_FALSE(std::isnan(support::value_of(found, "mean", "low", 0)));
  CHECK_FALSE(std::isnan(support::value_of(found, "mean", "low", 4)));
  const auto& change = found.data.at("change_low");
  for (std::size_t m = 0; m < found.data.size_of("measure"); ++m) CHECK(std::isnan(change.reals()[3 * m + 1]));
  CHECK(support::has_note(found,
                          "a single one has none: year 2010, Malta (1 answer), year 2020, Malta (1 answer), year 2010, "
                          "Monaco (2 answers)"));
  CHECK(found.verdict().find("2 of 6 groups: agreement ranges from") == 0);
  CHECK(found.verdict().find("Of 3 changes of agreement, bimodality and sd") != std::string::npos);
  const Results alone = files.measured({"data.file=" + files.put("one.csv", "opinion\n4\n")});
  CHECK(support::has_note(alone, "a single one has none: 1 answer."));
  std::string weights = "opinion,w\n";
  for (int k = 0; k < 50; ++k) weights += concat(k % 7, ",", k == 3 ? 1000.0 : 0.001, "\n");
  const Results uneven = files.measured({"data.file=" + files.put("w.csv", weights), "data.weight=w"});
  CHECK(support::has_note(uneven, "weights that leave an effective size of 1"));
}

TEST_CASE("NA is no side, none is one, and a table of Gephi names its nodes by Id", "[opinion][measure]") {
  const Inputs files;
  const std::string edges = "network.edges=" + files.put("e.csv", kTriangles);
  const Results found = files.measured(
      {edges, "data.file=" + files.put("n.csv", "Id,party\na,L\nb,L\nc,NA\nd,none\ne,none\nf,none\n"), "walk.hubs=1"});
  CHECK(support::has_note(found, "1 of 6 rows has no side: this node is left out with its edges"));
  CHECK(support::has_note(found, "Names of nodes are read from the column Id."));
  CHECK(std::get<std::vector<std::int64_t>>(found.data.at("node_side").values) ==
        std::vector<std::int64_t>{1, 1, -1, 0, 0, 0});
  CHECK(support::value_of(found, "ei_index") == -1);
  const std::string others = files.put("o.csv", "node,x,y\na,1,2\nb,1,2\nc,1,3\nd,2,3\ne,2,3\nf,2,3\n");
  CHECK(support::has_note(files.measured({edges, "data.file=" + others}),
                          "Not used of the nodes: x, y; --sides (sides.column)"));
  CHECK(
      files.refusal({edges, "data.file=" + files.put("m.csv", "node,side\n1.0,a\n2.0,b\n")}) ==
      "m.csv: none of its nodes, such as '1.0', is in e.csv, where one is called 'a'; both must call them by the same "
      "names.");
}

TEST_CASE("what of edges and nodes is not used is named with what uses it, and only then", "[opinion][measure]") {
  const Inputs files;
  const std::string plain = files.put("p.csv", "source,target\na,b\nb,c\nc,a\nc,d\nd,e\ne,f\nf,d\n"),
                    tied = files.put("w.csv", "source,target,weight,layer\na,b,2,x\nb,c,1,x\nc,a,1,y\nc,d,1,y\n"),
                    nodes = files.put("n.csv", "node,party,age,size\na,L,3,1\nb,L,4,2\nc,R,5,3\nd,R,6,4\n");
  const auto notes_of = [&](const std::string& edges, const std::string& key) {
    const Results found = files.measured({"network.edges=" + edges, "data.file=" + nodes, "walk.hubs=0", key});
    return std::array{
        support::has_note(found, "to use them: --edge-weights (network.use_weights = true)."),
        support::has_note(found, "x (2 edges), y (2 edges). All are used together; network.relation chooses one."),
        support::has_note(found, "Only y is used (network.relation)."),
        support::has_note(found, "Not used of the nodes: age, size; ")};
  };
  CHECK(notes_of(plain, "bootstrap.draws=0") == std::array{false, false, false, true});
  CHECK(notes_of(tied, "bootstrap.draws=0") == std::array{true, true, false, true});
  CHECK(notes_of(tied, "network.use_weights=true") == std::array{false, true, false, true});
  CHECK(notes_of(tied, "network.relation=y") == std::array{false, false, true, true});
}

TEST_CASE("attributes of a graph document are opinions and sides", "[opinion][measure]") {
  const Inputs files;
  std::string text = "graph [\n", table = "node,opinion,party\n";
  const std::vector<std::string> opinions{"-1", "-0.5", "NaN", "0.5", "1", "2"}, parties{"L", "L", "L", "R", "R", "NA"};
  for (std::size_t i = 0; i < 6; ++i) {
    const char name = static_cast<char>('a' + i);
    text += concat("node [ id ", i, " label \"", name, "\" opinion ", opinions[i], " party \"", parties[i], "\" ]\n");
    table += concat(name, ',', opinions[i] == "NaN" ? "" : opinions[i], ',', parties[i], '\n');
  }
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {2, 3}})
    text += concat("edge [ source ", a, " target ", b, " ]\n");
  const std::string document = "network.edges=" + files.put("g.gml", text + "]\n");
  const Results of_document = files.measured({document, "walk.hubs=1"}),
                of_table = files.measured({"network.edges=" + files.put("e.csv", kTriangles),
                                           "data.file=" + files.put("n.csv", table), "walk.hubs=1"});
  const auto& names = std::get<std::vector<std::string>>(of_document.data.at("measure").values);
  CHECK(names.size() == 23);
  for (const std::string& name : names)
    for (const char* part : {"value", "low", "high", "null_mean"}) {
      INFO(name << ' ' << part);
      const double one = support::value_of(of_document, name, part), other = support::value_of(of_table, name, part);
      CHECK((one == other || (std::isnan(one) && std::isnan(other))));
    }
  CHECK(support::has_note(of_document, "Opinions are read from the attribute opinion of the nodes."));
  CHECK(support::has_note(of_document, "1 node has no side and is left out with its edges"));
  CHECK(files.refusal({document, "data.value=party"})
            .find("column 'party' holds words alone: 'L' (3 rows), 'R' (2 rows)") != std::string::npos);
  CHECK(files.refusal({document, "data.value=age"}) ==
        "g.gml: its nodes have no attribute 'age'; there are: opinion, party.");
  CHECK(support::value_of(files.measured({document, "sides.column=none"}), "ei_index") !=
        support::value_of(of_document, "ei_index"));
}

TEST_CASE("more sides, parts without an edge between them and a star are told", "[opinion][measure]") {
  const Inputs files;
  const std::string edges = "network.edges=" + files.put("e.csv", kTriangles + "g,h\n");
  const std::string nodes = files.put("n.csv", "node,side\na,B\nb,B\nc,B\nd,A\ne,A\nf,C\ng,C\nh,A\n");
  const Results three = files.measured({edges, "data.file=" + nodes, "walk.hubs=1"});
  CHECK(support::has_note(three, "There are 3 sides: random walk controversy is that of the two largest, A and B."));
  CHECK(support::has_note(
      three,
      "The network is not connected. It has 2 parts without an edge between them. Random walks are in the largest "
      "part, of 6 nodes."));
  const std::string apart = files.put("a.csv", "node,side\na,B\nb,B\nc,B\nd,B\ne,B\nf,B\ng,A\nh,A\n");
  const Results none = files.measured({edges, "data.file=" + apart, "walk.hubs=1"});
  CHECK(std::isnan(support::value_of(none, "random_walk_controversy")));
  CHECK(support::has_note(none, "which does not hold both sides: random walk controversy has no value."));
  const std::string star = "network.edges=" + files.put("s.csv", "source,target\n0,1\n0,2\n0,3\n0,4\n");
  const std::string leaves = files.put("l.csv", "node,side\n0,hub\n1,leaf\n2,leaf\n3,leaf\n4,leaf\n");
  CHECK(support::has_note(files.measured({star, "data.file=" + leaves}),
                          "No two edges of this network can exchange their ends"));
  CHECK_FALSE(support::has_note(none, "No two edges"));
  CHECK(support::has_note(files.measured({star, "data.file=" + leaves, "network.use_weights=true"}),
                          "All edges weigh 1"));
}

}  // namespace measure_inputs
