"""scripts/check finds what it is there for: each breach planted alone in a copy of the sources is named, and nothing else."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])


class Check(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.scratch.name, "copy")
        for layer in ("core", "datasets", "domains", "experiments", "tests", "scripts"):
            shutil.copytree(SOURCE / layer, cls.root / layer, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("CMakeLists.txt", "CITATION.cff", "LICENSE", "README.md", "CHANGELOG.md"):
            shutil.copy(SOURCE / name, cls.root / name)
        subprocess.run(["git", "init", "--quiet", cls.root], check=True)   # only files that git does not ignore are counted

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def check(self, script=SOURCE / "scripts" / "check"):
        done = subprocess.run([sys.executable, script, "--rules", self.root], capture_output=True, text=True)
        return done.returncode, done.stderr.splitlines()

    def plant(self, name, line):
        """One line more at the end of a file, until the test ends; a new file where there is none. Gives FILE:LINE."""
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        before = path.read_text() if path.exists() else None
        self.addCleanup(path.unlink) if before is None else self.addCleanup(path.write_text, before)
        path.write_text((before or "") + line + "\n")
        return f"{name}:{len((before or '').splitlines()) + 1}"

    def test_each_breach_is_named_with_file_and_line_and_nothing_else(self):
        says = "names a domain, which only the domain itself and its line in domains/registry.cpp may"
        inside = "is the inside of the engine; include a header of core/attention/"
        expected = []
        for name, line, sentence in [
            # A circle: report includes data.
            ("core/data/dataset.hpp", '#include "fovea/core/report/report.hpp"',
             "core/data must not include core/report, but only itself and base"),
            ("core/base/lines.hpp", '#include "fovea/core/data/dataset.hpp"',
             "core/base must not include core/data, but only itself and nothing"),
            ("core/lab/runner.cpp", '#include "fovea/core/attention/attend.hpp"',
             "core/lab must not include core/attention, but only itself and base, config, data, ranks, report"),
            ("core/learning/tape.cpp", '#include "fovea/core/attention/engine/walk.hpp"', f"core/attention/engine {inside}"),
            ("domains/opinion/fit/fit.cpp", '#include "fovea/core/attention/scores/entry.hpp"', f"core/attention/scores {inside}"),
            ("core/lab/sweep.cpp", '#include "fovea/datasets/text/csv.hpp"',
             "core/ must not include datasets/ (core <- datasets <- domains <- experiments)"),
            ("experiments/main.cpp", "auto model = fovea::opinion::dynamics::models();", says),
            ("core/lab/directory/new.cpp", "const auto found = lag::methods::methods();", says),
            ("domains/opinion/fit/data.cpp", "auto entry = mechanism::pooled();", says),
            ("domains/lag/pair/pair.cpp", "std::exit(1);", "only experiments/ prints or exits"),
            ("domains/ehr/new.cpp", "struct Never { FOVEA_FINDING(note, \"never\", \"in no list\") };",
             "the finding Never is in no finding_kinds<...>, so no test renders it"),
        ]:
            expected.append(f"{self.plant(name, line)}: {sentence}")
        place = self.plant("domains/lag/pair/null.cpp", '#include "fovea/domains/opinion/experiments.hpp"')
        expected += [f"{place}: domain lag must not include domain opinion", f"{place}: {says}"]
        place = self.plant("domains/new.md", "[a](README.md), [b](../README.md#no-such-part), [c](theory.md), [d](https://example.org)")
        expected += [f"{place}: a link to ../README.md#no-such-part, but README.md has no such heading",
                     f"{place}: a link to theory.md, which is not there"]
        self.plant("core/lab/sweep/old.cpp", "// as lag::methods does")
        self.plant("domains/registry.cpp", "using fovea::lag::domain;")
        # A circle between sibling folders; an arrow that goes one way is none.
        place = self.plant("domains/ehr/first/one.cpp", '#include "fovea/domains/ehr/second/two.hpp"')
        self.plant("domains/ehr/second/two.hpp", '#include "fovea/domains/ehr/first/one.hpp"')
        self.plant("domains/ehr/second/two.cpp", '#include "fovea/domains/ehr/third/three.hpp"')
        expected.append(f"{place}: in domains/ehr the folders first, second include each other in a circle")
        code, sentences = self.check()
        self.assertEqual((code, sorted(sentences)), (1, sorted(expected)))

    def test_a_circle_that_is_allowed_and_is_not_there_is_named(self):
        script = self.root.parent / "check"
        text = (SOURCE / "scripts" / "check").read_text()
        script.write_text(text.replace("\nCIRCLES = {", '\nCIRCLES = {"domains/ehr": {"alarms", "risk"}, ', 1))
        self.assertEqual(self.check(script), (1, [f"scripts/check: CIRCLES allows {name} in domains/ehr, which is on no circle any more: "
                                                  "take it out" for name in ("alarms", "risk")]))

    def test_a_folder_of_31_files_and_a_room_without_a_page_or_a_place_are_named(self):
        folder, room, page = self.root / "datasets" / "new", self.root / "core" / "new", self.root / "core" / "config" / "README.md"
        others = self.root / "core" / "README.md"
        link = 1 + next(k for k, line in enumerate(others.read_text().splitlines()) if "](config/README.md)" in line)
        folder.mkdir()
        for number in range(31):
            (folder / f"{number}.csv").write_text("a\n1\n")
        room.mkdir()
        text = page.read_text()
        page.unlink()
        self.assertEqual(self.check(), (1, ["datasets/new/: 31 files, but at most 30: make folders of what belongs together",
                                            "core/config/: has no README.md",
                                            "core/new/: not one of the rooms in scripts/check, so nothing says what it may include",
                                            f"core/README.md:{link}: a link to config/README.md, which is not there"]))
        room.rmdir()
        page.write_text(text)
        (folder / "0.csv").unlink()
        self.assertEqual(self.check(), (0, []), "30 files, and no rule is broken")
        shutil.rmtree(folder)


    def test_a_decision_by_a_sentence_is_named(self):
        says = "decides by a sentence; record a finding and ask for it (core/data/finding.hpp)"
        read = ['if (merged.verdict().starts_with("No better than chance"))', 'if (verdicts[p].starts_with("adds"))',
                'return note.starts_with("Plain averaging");', 'if (data.at("scale").long_name != kTemperature) return;',
                'return headline.meaning == meaning;', 'return note.starts_with(series::kMayWander);',
                'if (results.verdict().find(discover::kNoPromise) == 0)', 'labels[i].substr(0, labels[i].size() - end.size());',
                'if (results.verdict() == "done")', 'figure.caption.find("mean")', 'results.notes()[0].compare(text)']
        expected = [f"{self.plant('domains/lag/new.cpp', line)}: {says}" for line in read]
        for line in ['// as verdict().find() did', 'found = network.labels.find(name);', 'object.add("verdict", results.verdict());',
                     'notes.push_back(std::move(choice.reason));', 'std::find(notes.begin(), notes.end(), note);',
                     'if (!results.verdict().empty()) return;', 'variable.long_name = "share";']:
            self.plant("domains/lag/new.cpp", line)
        self.plant("tests/domains/new_test.cpp", 'CHECK(results.verdict() == "done");')
        self.assertEqual(self.check(), (1, expected))


if __name__ == "__main__":
    unittest.main()
