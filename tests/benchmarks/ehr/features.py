"""Numbers that summarise each stay, for peers that take no events: summary and decay features of 37 variables, and statics."""
import pathlib

import duckdb
import numpy

STATICS = ["Age", "Gender", "Height", "ICUType"]
HALF_LIVES = (2.0, 8.0, 24.0)   # hours
UNITS = 4                       # of ICUType


class Events:
    """All events of sets A and B in the order (stay, variable, time); ties keep the order of the file."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        ordered = lambda column, file: duckdb.sql(f"select stay_id, {column} from '{folder}/{file}' order by stay_id").fetchnumpy()
        outcomes, folds = ordered("in_hospital_death as died", "outcomes.csv"), ordered("fold", "split.csv")
        self.stays, self.died = numpy.asarray(outcomes["stay_id"]), numpy.asarray(outcomes["died"]).astype(int)
        if not numpy.array_equal(self.stays, numpy.asarray(folds["stay_id"])):
            raise SystemExit("peer: outcomes.csv and split.csv name different stays")
        self.folds = numpy.asarray(folds["fold"])
        files = [str(folder / f"physionet2012_set-{letter}.csv.gz") for letter in "ab"]
        rows = duckdb.sql(f"""select stay_id, time_minutes / 60.0 as hours, variable, value::double as value
                              from read_csv({files}, header = true) where not (value = -1 and variable in
                              ('Age', 'Gender', 'Height', 'ICUType', 'Weight'))""").fetchnumpy()
        names, variable = numpy.unique(numpy.asarray(rows["variable"]).astype(str), return_inverse=True)
        stay = numpy.searchsorted(self.stays, numpy.asarray(rows["stay_id"]))
        hours, value = numpy.asarray(rows["hours"]), numpy.asarray(rows["value"])
        self.statics = self.static_columns(names, variable, stay, value)
        series = [at for at, name in enumerate(names) if name not in STATICS]
        kept = numpy.isin(variable, series)
        variable, stay, hours, value = (numbers[kept] for numbers in (variable, stay, hours, value))
        variable = numpy.searchsorted(series, variable)
        self.variables = len(series)
        order = numpy.lexsort((hours, variable, stay))
        self.group, self.hours, self.value = (stay * self.variables + variable)[order], hours[order], value[order]

    def static_columns(self, names, variable, stay, value):
        columns = []
        for name in STATICS:
            mine = variable == numpy.searchsorted(names, name)
            column = numpy.full(len(self.stays), numpy.nan)
            column[stay[mine]] = value[mine]
            columns += [column == unit + 1 for unit in range(UNITS)] if name == "ICUType" else [column]
        return numpy.column_stack(columns).astype(float)

    def until(self, end):
        """The groups (stay x variable) of the events up to an hour, each group's first event, and their numbers."""
        seen = self.hours <= end
        group, age, value = self.group[seen], end - self.hours[seen], self.value[seen]
        starts = numpy.flatnonzero(numpy.r_[True, group[1:] != group[:-1]])
        return group, starts, age, value

    def table(self, group, starts, columns):
        """(stays, variables x columns); missing where a stay has no event of the variable."""
        table = numpy.full((len(self.stays) * self.variables, len(columns)), numpy.nan)
        table[group[starts]] = numpy.column_stack(columns)
        return table.reshape(len(self.stays), -1)


def moments(value, starts, count):
    mean = numpy.add.reduceat(value, starts) / count
    centred = value - numpy.repeat(mean, count)
    return mean, numpy.sqrt(numpy.add.reduceat(centred ** 2, starts) / count)


def extremes(value, starts):
    return numpy.minimum.reduceat(value, starts), numpy.maximum.reduceat(value, starts)


def summary(events, end=48.0, recent=24.0):
    """Mean, least, largest, first, last, deviation, count; mean, least and largest of the last 24 hours; statics: 377."""
    group, starts, age, value = events.until(end)
    count = numpy.diff(numpy.r_[starts, len(group)])
    mean, deviation = moments(value, starts, count)
    whole = events.table(group, starts, [mean, *extremes(value, starts), value[starts], value[starts + count - 1],
                                         deviation, count])
    late = age <= recent
    group, value = group[late], value[late]
    starts = numpy.flatnonzero(numpy.r_[True, group[1:] != group[:-1]])
    count = numpy.diff(numpy.r_[starts, len(group)])
    last = events.table(group, starts, [moments(value, starts, count)[0], *extremes(value, starts)])
    return numpy.hstack([whole, last, events.statics])


def decay(events, end=48.0):
    """Weighted means and log sums of weights at three half-lives; mean, deviation, least, largest, first, last, hours since the
    last, log count; statics: 525."""
    group, starts, age, value = events.until(end)
    count = numpy.diff(numpy.r_[starts, len(group)])
    columns = [*moments(value, starts, count), *extremes(value, starts), value[starts], value[starts + count - 1],
               age[starts + count - 1], numpy.log1p(count)]
    for half_life in HALF_LIVES:
        weight = numpy.exp2(-age / half_life)
        mass = numpy.add.reduceat(weight, starts)
        columns += [numpy.add.reduceat(weight * value, starts) / mass, numpy.log1p(mass)]
    return numpy.hstack([events.table(group, starts, columns), events.statics])
