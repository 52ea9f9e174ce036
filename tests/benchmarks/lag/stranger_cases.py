"""Seventeen small tables as people have them (`strangers3`, beside the folder of --data): clocks, counters, sums, panels, marks of
missing cells. What is expected is the truth by construction, as the folder's README says."""
import dataclasses
import pathlib
import re

from lag import command as lag_command
from record import Record
from worker import Cannot

X_TO_Y = {("x", "y", 2)}


@dataclasses.dataclass
class Table:
    """links: all that may count, by cause, effect and lag; within: links within a step may too, if none has a direction; told: what
    a note must name, all of it, there or (within_told) only where links within a step count; no_series: columns that are none;
    refused: what the refusal without `options` must hold; unpromised: links that are not promised do no harm."""
    file: str
    links: set = dataclasses.field(default_factory=set)
    told: tuple = ()
    within: bool = False
    within_told: tuple = ()
    no_series: tuple = ()
    options: tuple = ()
    refused: tuple = ()
    unpromised: bool = False

    def wrong(self, arena, folder):
        """What is not as expected, in a few words; empty: nothing."""
        path = folder / self.file
        try:
            if self.refused and self.refusal_lacks(arena, path):
                return "not refused, or without the way out"
            answer = lag_command.search(arena, path, *self.options)
        except Cannot as reason:
            return f"not read: {str(reason)[:60]}"
        return self.wrong_of(answer)

    def refusal_lacks(self, arena, path):
        try:
            lag_command.search(arena, path)
        except Cannot as reason:
            return not says(str(reason), self.refused)
        return True

    def wrong_of(self, answer):
        between = answer.between()
        within = [link for link in between if link.lag == 0]
        text = " ".join([answer.said["verdict"], answer.said["promise"], *answer.said["notes"]])
        if self.unpromised and not any(link.promised and link.cause != link.effect for link in answer.ranked()):
            between = within = []
        if {link[:3] for link in between if link.lag > 0} != self.links:
            return f"{sum(link.lag > 0 for link in between)} lagged links"
        if within and not self.within and not (self.within_told and says(text, self.within_told)):
            return f"{len(within)} links within a step"
        if self.within and (not within or any(link.directed for link in within)):
            return "a direction within the step, or no link there"
        if set(self.no_series) & set(answer.names()):
            return "a column of times or numbers is a series"
        return "" if says(text, self.told) else "not named"


def says(text, patterns):
    return all(re.search(pattern, text, re.IGNORECASE | re.DOTALL) for pattern in patterns)


FIRMS = {"links": {("value", "invest", 1)}, "no_series": ("firm", "year")}
TABLES = [
    Table("river_proportional.csv", {("up", "mid", 2), ("mid", "town", 3), ("trib", "town", 1)}),
    Table("parts_and_total.csv", told=(r"\ball\b.*\bsum\b|\bsum\b.*\ball\b",)),
    Table("shares.csv", within_told=("sum", "constant|100")),
    Table("twins.csv", {("litres", "effect", 2)}, told=("decilitres", r"\bcopy\b")),
    Table("running_totals.csv", told=("running total",), unpromised=True), Table("local_clock.csv", {("inflow", "outflow", 3)}),
    Table("common_shock.csv", within=True), Table("firms_by_name.csv", **FIRMS), Table("firms_by_number.csv", **FIRMS),
    Table("times_year_quarter.csv", X_TO_Y, no_series=("year", "quarter")),
    Table("times_rownames_year.csv", X_TO_Y, no_series=("rownames", "year")),
    Table("times_rownames_date.csv", X_TO_Y, no_series=("rownames", "date")), Table("times_yyyymm.csv", X_TO_Y, no_series=("period",)),
    Table("times_zone_word.csv", X_TO_Y), Table("times_epoch_ms.csv", X_TO_Y), Table("long_symbol_price.csv", X_TO_Y),
    Table("mark_65535.csv", X_TO_Y, options=("--missing", "65535"), refused=("missing 65535",))]


@dataclasses.dataclass
class Strangers:
    folder: pathlib.Path
    name: str = "strangers3: tables that are right"

    def run(self, arena, threads, quick):
        if threads != 1 or not self.folder.exists():
            return
        tables = TABLES[:3] if quick else TABLES
        wrong = {table.file: table.wrong(arena, self.folder) for table in tables}
        right = sum(not words for words in wrong.values())
        yield Record(self.name, 1, right, "tables", required=f">= {len(TABLES)}", holds=None if quick else right == len(TABLES),
                     note="; ".join(f"{pathlib.Path(file).stem}: {words}" for file, words in wrong.items() if words))
