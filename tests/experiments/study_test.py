"""A learned question that is killed again and again, at any moment, ends with the same model; a model predicts a million
cases in the memory of a few. The question is tests/support/tasks/toy_task.cpp, run by study_program_test.cpp."""
import os
import pathlib
import random
import shutil
import subprocess
import time
import unittest

from fovea_command import CommandTest

TESTS = os.environ["FOVEA_TESTS"]
KILLS = 20
MOST_RUNS = 400       # of which KILLS must be met before they end
MANY, FEW = 1_000_000, 10_000
FURTHER = 64 << 10    # KiB that many cases may take beyond what few take


class StudyTest(CommandTest):
    def program(self, name, **environment):
        return subprocess.Popen([TESTS, name], cwd=self.folder, stdout=subprocess.DEVNULL,
                                env={**os.environ, **{key: str(value) for key, value in environment.items()}})

    def run_study(self, place):
        (self.folder / place).mkdir(exist_ok=True)
        return self.program("a study runs where FOVEA_STUDY_RUNS says", FOVEA_STUDY_RUNS=self.folder / place)

    def files(self, place):
        """The bytes of model and result, by name."""
        return {name: next(self.folder.glob(f"{place}/*/{name}")).read_bytes() for name in ("model.h5", "result.h5")}

    def restored(self):
        """How many starts of this run went on from a checkpoint."""
        return sum(log.read_text().count("restored checkpoint") for log in self.folder.glob("runs/*/log"))

    def peak(self, cases):
        """The largest memory in KiB of a process that predicts so many cases, and how many rows it writes."""
        path = self.folder / "cases.csv"
        with path.open("w", encoding="utf-8") as file:
            file.write("id,time [h],reading [mV],quality\n")
            file.writelines(f"c{b},0,{b % 11 / 4 - 1},{b % 7}\n" for b in range(cases))
        program = self.program("a model predicts the cases that FOVEA_STUDY_CASES names", FOVEA_STUDY_CASES=path,
                               FOVEA_STUDY_MODEL=next(self.folder.glob("whole/*/model.h5")))
        _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(program.returncode, 0)
        with pathlib.Path(f"{path}.predicted").open(encoding="utf-8") as rows:
            self.assertEqual(sum(1 for _ in rows), cases)
        return used.ru_maxrss

    def test_killed_twenty_times_a_study_ends_with_the_same_model(self):
        start = time.monotonic()
        self.assertEqual(self.run_study("whole").wait(), 0)
        whole = time.monotonic() - start
        expected, dice, killed, restored = self.files("whole"), random.Random(1), 0, 0
        for _ in range(MOST_RUNS):
            if killed >= KILLS:
                break
            program = self.run_study("runs")
            time.sleep(dice.uniform(0.05, 0.6) * whole)
            program.kill()
            killed += program.wait() < 0
            if list(self.folder.glob("runs/*/DONE")):  # it ended meanwhile: compared, and begun anew
                self.assertEqual(self.files("runs"), expected)
                restored += self.restored()
                shutil.rmtree(self.folder / "runs")
        self.assertGreaterEqual(killed, KILLS)
        self.assertEqual(self.run_study("runs").wait(), 0)
        self.assertEqual(self.files("runs"), expected)
        restored += self.restored()
        print(f"{killed} kills, {restored} starts went on from a checkpoint")
        self.assertGreater(restored, 0)

    def test_a_million_cases_are_predicted_in_the_memory_of_a_few(self):
        self.assertEqual(self.run_study("whole").wait(), 0)
        few, many = self.peak(FEW), self.peak(MANY)
        print(f"{FEW} cases {few >> 10} MiB, {MANY} cases {many >> 10} MiB")
        self.assertLess(many, few + FURTHER)


if __name__ == "__main__":
    unittest.main()
