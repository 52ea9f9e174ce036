"""fovea on radar and optics, as it is run by hand, and the programs that it is compared with."""
import dataclasses
import functools
import hashlib
import json
import pathlib
import time

from ehr.program import CHECK_FAILED, Run, call, fovea
from worker import Cannot

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
CONFIGS = ROOT / "experiments" / "fusion"
FOREST, OTB = "scikit-learn forests", "Orfeo ToolBox"   # in peers.py
TESTED, CLOUD = "split.tif", "synthetic_cloud45.tif"


@dataclasses.dataclass(eq=False)
class Data:
    """The folder with scenes, stacks, fields and moisture."""
    folder: pathlib.Path

    @property
    def chip(self):
        return self.folder / "sen1floods11_spain"

    @property
    def stack(self):
        return self.folder / "wc_be_2018_31UDS.h5"

    @property
    def tasks(self):
        return self.folder / "gapfill_tasks_wc_be_2018_31UDS.csv"

    @property
    def fields(self):
        return self.folder / "crops_fra2023_dekad.h5"

    @property
    def moisture(self):
        return self.folder / "fuel_moisture.h5"

    def scene_list(self, arena, mask=False):
        """A list of the one chip, with its split and, if asked for, the mask of its clouds."""
        path = pathlib.Path(arena.folder, f"chip_{mask}.csv")
        files = [self.chip / f"Spain_7370579_{kind}Hand.tif" for kind in ("S1", "S2", "Label")] + [self.chip / TESTED]
        names = ["scene", "s1", "s2", "labels", "split"] + (["mask"] if mask else [])
        files += [self.chip / CLOUD] if mask else []
        path.write_text(",".join(names) + "\n" + ",".join(["spain", *map(str, files)]) + "\n", encoding="utf-8")
        return path


class Learned(Run):
    """A finished run; cost: of the whole command, processor and wall."""

    def __init__(self, command, folder, cost=None, wall=0):
        super().__init__(command, folder)
        self.cost, self.wall = cost, wall

    def over(self, variable, axis):
        """A variable over one axis: name or number on the axis -> value."""
        return {row[axis]: float(row[variable]) for row in self.rows(variable)}


@dataclasses.dataclass(eq=False)
class Programs:
    """Runs and the peer's answers, each made once, when a row first wants it."""
    data: Data
    quick: bool
    seeds: int

    @functools.cache
    def learn(self, arena, config, settings=(), seed=1):
        """Runs a config with these settings (pairs) and this seed."""
        key = hashlib.sha256(repr(settings).encode()).hexdigest()[:12]
        folder = pathlib.Path(arena.folder, f"{pathlib.Path(config).stem}_{seed}_{key}")
        words = [word for key, value in settings for word in ("--set", f"{key}={json.dumps(value)}")]
        if not (CONFIGS / config).exists():
            raise Cannot(f"there is no experiments/fusion/{config}")
        start = time.monotonic()
        cost = call([fovea(arena), "run", CONFIGS / config, "-q", "-o", folder, "--seed", str(seed),
                     *(["--quick"] if self.quick else []), *words], allowed=(0, CHECK_FAILED))
        made = next(each for each in sorted(folder.iterdir()) if (each / "manifest.json").exists())
        return Learned(fovea(arena), made, cost, time.monotonic() - start)

    def all_seeds(self, arena, config, settings=(), most=1000):
        return [self.learn(arena, config, settings, seed) for seed in range(1, 2 if self.quick else min(self.seeds, most) + 1)]

    def scenes(self, mask=False, blocks=True):
        """arena -> what a config is told of the chip. blocks: it makes its validation blocks itself, as large as those of the split."""
        def settings(arena):
            if not self.data:
                return []
            words = [("data.scenes", str(self.data.scene_list(arena, mask)))]
            words += [("data.block", 64), ("data.guard", 4)] if blocks else []
            return words + ([("data.mask", "examine")] if mask else [])
        return settings

    @functools.cache
    def peer(self, arena, task):
        """What peer.py says of a task."""
        found = arena.peers.get(FOREST)
        if found is None or found.reason:
            raise Cannot(found.reason if found else "left out")
        answer = pathlib.Path(arena.folder, f"peer_{task}.json")
        call([*found.command, task, self.data.folder, answer, *(["--quick"] if self.quick else [])], found.environment)
        said = json.loads(answer.read_text(encoding="utf-8"))
        arena.versions.update(said.pop("versions"))
        return said
