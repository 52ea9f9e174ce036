"""Runs the command in a fresh folder, for the tests beside this file. FOVEA says where the program is."""
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

FOVEA = os.environ.get("FOVEA", "fovea")
SOURCE = pathlib.Path(os.environ.get("FOVEA_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
# A point of well under a tenth of a second that still has temperatures, a transition and checkpoints.
SMALL = ["--set", "agents.count=20", "--set", "temperature.count=3", "--set", "rest.steps_max=30",
         "--set", "transition.find=false"]
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # fsync costs nothing there
LONGEST = 600  # seconds of a command: nothing takes a tenth of it, unless it hangs


def shared_data(name):
    """The file or folder data/NAME in the folder FOVEA_SHARED: data that is not part of the project. None without it."""
    path = pathlib.Path(os.environ.get("FOVEA_SHARED", ""), "data", name)
    return path if "FOVEA_SHARED" in os.environ and path.exists() else None


def processor_seconds():
    """Of all commands that have ended: what else runs on the machine does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fovea-test-", dir=MEMORY)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def fovea(self, *words, environment=None, **options):
        return subprocess.run([FOVEA, *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=LONGEST,
                              env={**os.environ, **(environment or {})}, **options)

    def expect(self, code, *words, **options):
        """The run with this exit code; an error has said one thing on stderr and nothing on stdout."""
        done = self.fovea(*words, **options)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        if code not in (0, 5, 6):
            self.assertEqual(done.stdout, "")
            self.assertTrue(done.stderr.strip().splitlines()[-1].startswith("fovea: "), done.stderr)
        return done

    def runs(self):
        return sorted(path for path in (self.folder / "runs").iterdir() if path.is_dir())
