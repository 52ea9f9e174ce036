"""What scripts/build says of the time: the steps weigh what they took, so the first word holds and long units at the end are no surprise."""
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["FOVEA_SOURCE"])
STEPS = ["CMakeFiles/fovea_core.dir/cmake_pch.hxx.gch", *(f"CMakeFiles/fovea_mathematics.dir/core/kernels/{k}.cpp.o" for k in range(30)),
         *(f"CMakeFiles/fovea_lag.dir/Unity/unity_{k}_cxx.cxx.o" for k in range(20)), "libfovea_lag.a"]
SECONDS = 2.5 + 30 * 2 + 20 * 9.6 + 0.3   # of a processor, for the table of scripts/build


class Estimate(unittest.TestCase):
    def said(self, steps):
        """The first line of a build of these steps on two processors, by a cmake and a ninja that only print."""
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / "scripts").mkdir()
            for name in ("build", "progress"):
                shutil.copy(SOURCE / "scripts" / name, folder / "scripts" / name)
            lines = [f"[{k}/{len(steps)}] Building CXX object {step}" for k, step in enumerate(steps, 1)]
            (folder / "lines").write_text("\n".join(lines) + "\n")
            # ninja -n lists no step where it would look for new sources first
            (folder / "commands").write_text("\n".join(f"c++ -O2 -o {step} -c source" for step in steps) + "\n")
            programs = {"nproc": "echo 2", "ninja": f'case "$*" in *"-t commands"*) cat {folder}/commands ;; esac', "cmake":
                        f'[ "$1" = --build ] && cat {folder}/lines || echo "-- Build files have been written to: here"'}
            for name, body in programs.items():
                path = folder / "bin" / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(f"#!/bin/sh\n{body}\n")
                path.chmod(path.stat().st_mode | stat.S_IXUSR)
            done = subprocess.run([folder / "scripts" / "build", "release"], capture_output=True, text=True,
                                  env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "TERM": "dumb"})
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stderr.splitlines()[0]

    def test_the_first_word_is_what_the_steps_take_and_not_their_number_times_a_mean(self):
        line = self.said(STEPS)
        self.assertRegex(line, rf"^build: preset release, {len(STEPS)} steps, about \d+ (s|min) on 2 processors$")
        number, unit = re.search(r"about (\d+) (s|min)", line).groups()
        self.assertAlmostEqual(int(number) * (60 if unit == "min" else 1), SECONDS / 2, delta=30)   # to the next minute

    def test_a_new_science_and_a_few_steps_have_an_estimate_too(self):
        self.assertEqual(self.said(["CMakeFiles/fovea_new.dir/Unity/unity_0_cxx.cxx.o"] * 4),
                         "build: preset release, 4 steps, about 10 s on 2 processors")


if __name__ == "__main__":
    unittest.main()
