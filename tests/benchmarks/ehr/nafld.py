"""Death within five years of 10 676 subjects (NAFLD, of R's package survival), beside scikit-learn's gradient boosting. FOLDER has
nafld1.csv.gz to nafld3.csv.gz and nafld_task_5y_death.csv (`id,death_within_5y,fold`): the subjects whose end is known."""
import csv
import dataclasses
import functools
import gzip
import json
import pathlib
import statistics

from ehr import program, scores
from record import Record
from worker import Cannot

CONFIG = program.ROOT / "experiments" / "ehr" / "nafld.toml"
TASK = "nafld_task_5y_death.csv"
PEER = "gradient boosting"
BOUNDS = [("AUROC", "auroc", 0.885), ("average precision", "average_precision", 0.488)]   # means of the folds


def mean_of_folds(learned, field):
    found = []
    for fold in sorted(set(learned["folds"])):
        mine = [at for at, each in enumerate(learned["folds"]) if each == fold]
        found.append(getattr(scores, field)(*([learned[name][at] for at in mine] for name in ("risks", "died"))))
    return statistics.fmean(found)


@dataclasses.dataclass(eq=False)
class Nafld:
    """data: the folder, which has TASK."""
    data: pathlib.Path
    quick: bool
    name: str = "death in 5 years"

    @functools.cache
    def files(self, arena):
        """Events, outcomes and folds of the task's subjects, by scripts/get-data."""
        raw, made = pathlib.Path(arena.folder, "nafld_raw"), pathlib.Path(arena.folder, "nafld_made")
        raw.mkdir(exist_ok=True)
        for table in ("nafld1.csv", "nafld2.csv", "nafld3.csv"):
            (raw / table).write_bytes(gzip.decompress((self.data / f"{table}.gz").read_bytes()))
        program.call([program.ROOT / "scripts" / "get-data", "nafld", "--to", made, "--from", raw])
        with open(self.data / TASK, encoding="utf-8", newline="") as file:
            task = {row["id"]: row for row in csv.DictReader(file)}
        folder = made / "nafld"
        with open(folder / "outcomes.csv", encoding="utf-8", newline="") as file:
            differing = sum(row["death_within_5y"] != task.get(row["id"], {"death_within_5y": ""})["death_within_5y"]
                            for row in csv.DictReader(file))
        if differing:
            raise Cannot(f"{differing} subjects end otherwise in {TASK} than in nafld1.csv")
        rows = gzip.decompress((folder / "events.csv.gz").read_bytes()).decode().splitlines(keepends=True)
        kept = rows[:1] + [row for row in rows[1:] if row.split(",", 1)[0] in task]
        (folder / "events.csv.gz").write_bytes(gzip.compress("".join(kept).encode(), compresslevel=1))
        (folder / "folds.csv").write_text("id,fold\n" + "".join(f"{key},{row['fold']}\n" for key, row in task.items()))
        return folder

    @functools.cache
    def ours(self, arena):
        command, folder, runs = program.fovea(arena), self.files(arena), pathlib.Path(arena.folder, "nafld_runs")
        program.call([command, "run", CONFIG, "-o", runs, "-q", *(["--quick"] if self.quick else []),
                      "--set", f"data.events={json.dumps([str(folder / 'events.csv.gz')])}",
                      "--set", f"data.outcomes={json.dumps([str(folder / 'outcomes.csv')])}", "--set", f"data.folds={folder / 'folds.csv'}"])
        return program.Run(command, next(runs.glob("ehr.mortality-*")))

    @functools.cache
    def peer(self, arena):
        found, answer = program.peer(arena), pathlib.Path(arena.folder, "nafld_peer.json")
        script = pathlib.Path(__file__).with_name("nafld_peer.py")
        program.call([found.command[0], script, self.files(arena), answer, *(["--quick"] if self.quick else [])],
                     {**found.environment, **program.ONE_THREAD})
        learned = json.loads(answer.read_text(encoding="utf-8"))
        return learned, scores.scores_of(learned["risks"], learned["died"], learned["folds"])

    def run(self, arena, threads, quick):
        if threads != 1:
            return
        ours, judged, seconds, reason = self.ours(arena), None, None, ""
        try:
            learned, judged = self.peer(arena)
            seconds = statistics.fmean(learned["seconds"])
        except Cannot as why:
            reason = str(why)
        for words, field, least in BOUNDS:
            value = ours.scalar(f"{field}_over_folds")
            record = Record(f"{self.name}: {words}", 1, value, required=f">= {least:.3f}", holds=None if quick else value >= least, note=reason)
            if judged:
                record.peer, record.peer_value = PEER, mean_of_folds(learned, field)
                record.note = f"means of five folds; pooled {ours.score(words):.3f}, peer {getattr(judged, field):.3f}"
            yield record
        cpu = float(ours.manifest["cpu_seconds"]) / 6
        record = Record(f"{self.name}: training, a fold", 1, cpu, "CPU s",
                        note="ours: processor time of the whole run, half-lives and page included, over 6 ensembles")
        if seconds:
            record.peer, record.peer_value = PEER, seconds
        yield record
