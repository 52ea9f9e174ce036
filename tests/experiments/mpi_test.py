"""One crowd over several processes of fovea-mpi: the bytes of one process, whatever the ranks and threads, resumed by other
numbers of ranks, and after a rank was killed."""
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

from fovea_command import FOVEA, LONGEST, CommandTest

FOVEA_MPI = os.environ.get("FOVEA_MPI", "")
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
KILLS = int(os.environ.get("FOVEA_RANK_KILLS", 3))
# Ranks and threads of each: all of 1, 2, 3, 4, 7 ranks with 1 and 2 threads where FOVEA_RANKS is set.
TOGETHER = [(ranks, threads) for ranks in (1, 2, 3, 4, 7) for threads in (1, 2)] if os.environ.get("FOVEA_RANKS") else \
    [(2, 2), (3, 1), (4, 1), (7, 1)]
CROWD = ["opinion.simulate", "--set", "model.name=attention", "--set", "agents.count=250000", "--set", "record.states=3", "--set", "record.agents=50",
         "--set", "rest.tolerance=0"]  # eight blocks
FEW = ["--set", "run.steps=6"]
CROWDS = {"plain": [*FEW],
          "noise and stubbornness": [*FEW, "--set", "model.noise=0.01", "--set", "model.stubbornness=0.1"],
          "a shock": [*FEW, "--set", "shocks.steps=[2]", "--set", "shocks.kinds=['shift']", "--set", "shocks.values=[0.3]",
                      "--set", "shocks.shares=[0.4]"],
          "listeners in doubt": [*FEW, "--set", "start.kind=normal", "--set", "start.spread=1.0", "--set", "model.temperature=0.05"]}


class Ranks(CommandTest):
    def start(self, ranks, *words, threads=1):
        return subprocess.Popen(["mpirun", "-n", str(ranks), "--oversubscribe", "--bind-to", "none", FOVEA_MPI, *map(str, words),
                                 "-t", str(threads)], cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**os.environ, **AS_ROOT}, start_new_session=True)

    def together(self, code, ranks, *words, threads=1):
        program = self.start(ranks, *words, threads=threads)
        out, err = program.communicate(timeout=LONGEST)
        self.assertEqual(program.returncode, code, f"{words}\n{out}\n{err}")
        return out, err

    def sha(self, output):
        (result,) = self.folder.glob(f"{output}/*/result.h5")
        return hashlib.sha256(result.read_bytes()).hexdigest()

    def whole(self, words):
        """The bytes of one process of the plain program."""
        self.expect(0, "run", *CROWD, *words, "-o", "alone")
        sha = self.sha("alone")
        shutil.rmtree(self.folder / "alone")
        return sha

    def expect_clean(self, output):
        (directory,) = self.folder.glob(f"{output}/*/")
        left = [path.name for path in directory.rglob("*") if path.name.endswith(".tmp") or path.name.startswith("checkpoint-")]
        self.assertEqual(left, [])
        self.assertEqual(json.loads((directory / "manifest.json").read_text())["state"], "finished")

    def test_any_ranks_and_threads_give_the_bytes_of_one_process(self):
        for name, words in CROWDS.items():
            whole = self.whole(words)
            for ranks, threads in TOGETHER:
                with self.subTest(name, ranks=ranks, threads=threads):
                    out, _ = self.together(0, ranks, "run", *CROWD, *words, "-o", "mpi", threads=threads)
                    self.assertEqual(out.count("result  "), 1)  # rank 0 alone speaks
                    self.assertEqual(self.sha("mpi"), whole)
                    self.expect_clean("mpi")
                    shutil.rmtree(self.folder / "mpi")

    def stopped(self, ranks, words):
        """Stops such a run by SIGUSR1, which mpirun hands on, when it has begun to save; its folder."""
        program = self.start(ranks, "run", *CROWD, *words, "-o", "mpi", "--checkpoint-every", "0")
        end = time.monotonic() + 60
        while not list(self.folder.glob("mpi/*/checkpoint-0.seal")) and time.monotonic() < end:
            time.sleep(0.01)
        program.send_signal(signal.SIGUSR1)
        out, err = program.communicate(timeout=LONGEST)
        self.assertEqual(program.returncode, 128 + signal.SIGUSR1, out + err)
        self.assertIn("all progress is saved", err)
        (directory,) = self.folder.glob("mpi/*/")
        self.assertFalse((directory / "DONE").exists())
        return directory

    def test_other_numbers_of_ranks_go_on_from_a_checkpoint(self):
        words = ["--set", "model.noise=0.01", "--set", "model.stubbornness=0.1", "--set", "run.steps=40"]
        whole = self.whole(words)
        for first, then in ((3, 2), (2, 7), (4, 1)):
            with self.subTest(first=first, then=then):
                directory = self.stopped(first, words)
                if then == 1:
                    self.expect(0, "resume", directory)  # the plain program
                else:
                    self.together(0, then, "resume", directory)
                self.assertEqual(self.sha("mpi"), whole)
                self.expect_clean("mpi")
                shutil.rmtree(self.folder / "mpi")

    def ranks_of(self, program):
        children = pathlib.Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
        return [int(pid) for pid in children]

    def test_a_run_whose_rank_is_killed_ends_soon_and_goes_on_to_the_same_bytes(self):
        words = ["--set", "run.steps=60"]
        whole, draw, kills = self.whole(words), random.Random(42), 0
        while kills < KILLS:
            program = self.start(3, "run", *CROWD, *words, "-o", "mpi", "--checkpoint-every", "0.2")
            time.sleep(0.5 + 2 * draw.random())
            ranks = self.ranks_of(program) if program.poll() is None else []
            if ranks:
                os.kill(draw.choice(ranks), signal.SIGKILL)
                begin = time.monotonic()
                program.communicate(timeout=60)
                self.assertLess(time.monotonic() - begin, 10)
                self.assertIn(program.returncode, (0, 128 + signal.SIGKILL))  # 0: it was at its end
                kills += 1
            else:
                program.communicate(timeout=60)
            if list(self.folder.glob("mpi/*/DONE")):
                self.assertEqual(self.sha("mpi"), whole)
                shutil.rmtree(self.folder / "mpi")
        if (self.folder / "mpi").exists():
            self.together(0, 2, "run", *CROWD, *words, "-o", "mpi")
            self.assertEqual(self.sha("mpi"), whole)
            self.expect_clean("mpi")

    def test_a_finished_run_is_found(self):
        self.together(0, 2, "run", *CROWD, *FEW, "-o", "mpi")
        _, err = self.together(0, 3, "run", *CROWD, *FEW, "-o", "mpi")
        self.assertIn("found the finished run", err)
        (directory,) = self.folder.glob("mpi/*/")
        manifest = json.loads((directory / "manifest.json").read_text())
        self.assertEqual(manifest["ranks"], 2)
        self.assertIn("Processes that computed it together", (directory / "report.html").read_text())
        self.expect(0, "run", *CROWD, *FEW, "-o", "alone")
        (alone,) = self.folder.glob("alone/*/")
        self.assertNotIn("ranks", json.loads((alone / "manifest.json").read_text()))
        self.assertNotIn("computed it together", (alone / "report.html").read_text())

    def test_what_one_process_does_is_refused_once_and_in_one_sentence(self):
        for code, words, sentence in (
                (2, ["sweep", *CROWD, "--seeds", "2"], "compute one run together"),
                (2, ["run", "opinion"], "give a config"),
                (3, ["run", "opinion.temperature"], "is computed by one process"),
                (3, ["run", "ehr.control"], "is computed by one process"),
                (3, ["run", *CROWD, "--set", "network.kind=erdos_renyi"], "one process"),
                (3, ["run", *CROWD, "--set", "model.temperature=-1"], "model.temperature"),
                (1, ["run", *CROWD, *FEW, "--set", "model.temperature=1e-9"], "run it in one process"),
                (4, ["run", "missing.toml"], "missing.toml")):
            with self.subTest(words=words):
                out, err = self.together(code, 2, *words, "-o", "mpi")
                self.assertEqual(out, "")
                ours = [line for line in err.splitlines() if line.startswith("fovea: ")]
                self.assertEqual(len(ours), 1, err)
                self.assertIn(sentence, ours[0])
                self.assertNotIn("stopping at the next checkpoint", err)

    def test_the_plain_program_needs_no_mpi_and_names_the_other(self):
        linked = subprocess.run(["ldd", FOVEA], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("mpi", linked)
        done = self.fovea("run", *CROWD, environment={"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("fovea-mpi run", done.stderr)
        self.assertIn("--shard", done.stderr)


if __name__ == "__main__":
    if not FOVEA_MPI or shutil.which("mpirun") is None:
        print("skipped: fovea-mpi was not built or mpirun is missing; scripts/setup cluster installs MPI")
        sys.exit(77)
    unittest.main(verbosity=2)
