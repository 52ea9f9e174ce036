"""The printed job script in a Slurm cluster of one node that this test starts: slurmctld, slurmd and munged as they come from
Debian. A task is requeued, another is lost, and the result has the bytes of one process."""
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from fovea_command import LONGEST, CommandTest

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch")
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
# 12 points of about a second of one processor each.
SWEEP = ["opinion.temperature", "--set", "agents.count=1000", "--set", "temperature.count=12", "--set", "transition.find=false",
         "--grid", "model.stubbornness=0.05,0.1,0.2", "--seeds", "4"]
POINTS = 12
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={controller}
SlurmdPort={daemon}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 Boards=1 SocketsPerBoard=1 CoresPerSocket=4 ThreadsPerCore=1
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Cluster:
    """A cluster of this machine alone, its files in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {**os.environ, "PATH": PATH, "SLURM_CONF": f"{folder}/slurm.conf"}
        for name in ("state", "spool"):
            (folder / name).mkdir()
        (folder / "slurm.conf").write_text(CONFIGURATION.format(host=socket.gethostname(), user=getpass.getuser(), folder=folder,
                                                                controller=free_port(), daemon=free_port()))
        (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nIgnoreSystemd=yes\n")  # there is no systemd in a container
        (folder / "munge.key").write_bytes(os.urandom(1024))
        (folder / "munge.key").chmod(0o600)
        self.programs = []
        self.start("munged", "--foreground", "--force", *(f"--{what}={folder}/munge.{end}" for what, end in (
            ("socket", "socket"), ("key-file", "key"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed"))))
        self.wait(lambda: (folder / "munge.socket").exists())
        self.start("slurmctld", "-D")
        self.wait(lambda: self.command("scontrol", "ping").returncode == 0)
        self.start("slurmd", "-D")
        self.wait(lambda: "idle" in self.command("sinfo", "-h", "-o", "%T").stdout)

    def start(self, *words):
        with open(self.folder / f"{words[0]}.out", "w") as log:
            self.programs.append(subprocess.Popen(words, env=self.environment, stdout=log, stderr=log))

    def command(self, *words, **options):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60, **options)

    def wait(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            logs = "\n".join(f"{path.name}: {path.read_text()[-800:]}" for path in self.folder.glob("*.out"))
            assert time.monotonic() < end and not any(one.poll() for one in self.programs), f"the cluster does not answer\n{logs}"
            time.sleep(0.1)

    def stop(self):
        for program in reversed(self.programs):
            program.send_signal(signal.SIGTERM)
            try:
                program.wait(timeout=10)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()


class Slurm(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "cluster").mkdir()
        self.cluster = Cluster(self.folder / "cluster")
        self.addCleanup(self.cluster.stop)

    def state_of(self, task):
        return self.cluster.command("squeue", "-h", "-j", task, "-o", "%T").stdout.strip()

    def finished(self):
        return len(list(self.folder.glob("runs/*/points/*/DONE")))

    def test_a_requeued_and_a_lost_task_leave_the_bytes_of_one_process(self):
        self.expect(0, "sweep", *SWEEP, "--output", "alone", "--threads", "1")
        script = self.expect(0, "slurm", *SWEEP, "--shards", 3, "--time", "10").stdout
        job = self.cluster.command("sbatch", "--parsable", input=script, cwd=self.folder).stdout.strip()
        self.cluster.wait(lambda: self.finished() >= 2)
        self.assertLess(self.finished(), POINTS)
        lost, requeued = f"{job}_3", f"{job}_2"
        self.assertEqual(self.state_of(lost), "RUNNING")
        self.cluster.command("scancel", "--batch", "-s", "KILL", lost)  # without --batch it would be asked to stop first
        self.assertEqual(self.cluster.command("scontrol", "requeue", requeued).returncode, 0)
        self.cluster.wait(lambda: self.state_of(requeued) == "PENDING")
        self.cluster.command("scontrol", "update", f"JobId={requeued}", "StartTime=now")  # it would wait two minutes
        self.cluster.wait(lambda: not self.state_of(job), seconds=LONGEST)
        self.assertIn("ExitCode=0:9", self.cluster.command("scontrol", "show", "job", lost).stdout)
        self.assertIn("Restarts=1", self.cluster.command("scontrol", "show", "job", requeued).stdout)
        (result,) = self.folder.glob("runs/*/result.h5")
        (alone,) = self.folder.glob("alone/*/result.h5")
        self.assertEqual(result.read_bytes(), alone.read_bytes())
        self.assertFalse(list(result.parent.rglob("*.tmp*")))
        self.assertIn("3 of 3", self.expect(0, "status", result.parent).stdout)


if __name__ == "__main__":
    missing = [name for name in NEEDED if shutil.which(name, path=PATH) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} not found; scripts/setup cluster installs them")
        sys.exit(77)
    unittest.main(verbosity=2)
