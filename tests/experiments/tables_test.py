"""Tables as people export them: each is read rightly, which --explain-reading shows, or refused with the way out."""
import datetime
import json
import math
import random
import unittest

from fovea_command import CommandTest

DAY, HOUR = datetime.timedelta(days=1), datetime.timedelta(hours=1)
START = datetime.datetime(2023, 12, 20)
ROWS = 30
NUMBERS = random.Random(7)
FLOW = [round(5 + 2 * math.sin(i) + NUMBERS.gauss(0, 0.3), 2) for i in range(ROWS)]
RAIN = [round(abs(NUMBERS.gauss(0, 4)), 1) + 0.1 for _ in range(ROWS)]
LARGE = [round(12345.6 + 1000 * NUMBERS.random(), 1) for _ in range(ROWS)]


def dates(form, step=DAY, start=START):
    return [(start + i * step).strftime(form) for i in range(ROWS)]


def months(form, step=1):
    return [form(1985 + (i * step) // 12, (i * step) % 12 + 1) for i in range(ROWS)]


def table(first, *columns, head=("date", "flow", "rain"), separator=",", below=(), behind=()):
    """The rows of a table with a column of times."""
    rows = [separator.join(head), *below]
    rows += [separator.join([str(time), *map(str, values)]) for time, *values in zip(first, *columns)]
    return "\n".join([*rows, *behind]) + "\n"


def two(first, **options):
    return table(first, FLOW, RAIN, **options)


def comma(values):
    return [str(value).replace(".", ",") for value in values]


NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
# name: text, step, unit
EVEN = {
    "ISO dates": (two(dates("%Y-%m-%d")), 1, "days"),
    "ISO dates without zeros": (two([f"{d.year}-{d.month}-{d.day}" for d in (START + i * DAY for i in range(ROWS))]), 1, "days"),
    "ISO hours with an offset": (two(dates("%Y-%m-%dT%H:%M:%S+02:00", HOUR)), 1, "hours"),
    "German dates": (two(dates("%d.%m.%Y")), 1, "days"),
    "German hours, semicolons, decimal commas":
        (table(dates("%d.%m.%Y %H:%M", HOUR), comma(FLOW), comma(RAIN), separator=";"), 1, "hours"),
    "short German years": (two(dates("%d.%m.%y")), 1, "days"),
    "American dates": (two(dates("%m/%d/%Y")), 1, "days"),
    "American dates with AM and PM": (two(dates("%m/%d/%Y %I:%M %p", HOUR)), 1, "hours"),
    "British dates": (two(dates("%d/%m/%Y")), 1, "days"),
    "British dates with hours": (two(dates("%d/%m/%Y %H:%M", HOUR)), 1, "hours"),
    "American months, told by their even steps": (two(months(lambda y, m: f"{m:02}/01/{y}")), 1, "months"),
    "dates with dashes and the day first": (two(dates("%d-%m-%Y")), 1, "days"),
    "31-Dec-2023": (two(dates("%d-%b-%Y")), 1, "days"),
    "31 Dec 2023": (two(dates("%d %b %Y")), 1, "days"),
    "December 31, 2023": (two([f'"{date}"' for date in dates("%B %d, %Y")]), 1, "days"),
    "Jan 1985": (two(months(lambda y, m: f"{NAMES[m - 1]} {y}")), 1, "months"),
    "1985 Jan": (two(months(lambda y, m: f"{y} {NAMES[m - 1]}")), 1, "months"),
    "Jan-85": (two(months(lambda y, m: f"{NAMES[m - 1]}-{y % 100:02}")), 1, "months"),
    "1985-01": (two(months(lambda y, m: f"{y}-{m:02}")), 1, "months"),
    "01/1985": (two(months(lambda y, m: f"{m:02}/{y}")), 1, "months"),
    "1985Q1": (two(months(lambda y, m: f"{y}Q{(m + 2) // 3}", 3)), 3, "months"),
    "Q1 1985": (two(months(lambda y, m: f"Q{(m + 2) // 3} {y}", 3)), 3, "months"),
    "1985-Q1": (two(months(lambda y, m: f"{y}-Q{(m + 2) // 3}", 3)), 3, "months"),
    "2020-W07": (two(["%d-W%02d" % (START + 7 * i * DAY).isocalendar()[:2] for i in range(ROWS)]), 7, "days"),
    "newest first": (two(dates("%d.%m.%Y")[::-1]), 1, "days"),
    "date and clock in two columns":
        (table(dates("%d.%m.%Y", HOUR), dates("%H:%M", HOUR), FLOW, RAIN, head=("Date", "Time", "flow", "rain")), 1, "hours"),
    "clock before the date":
        (table(dates("%H:%M", HOUR), dates("%Y-%m-%d", HOUR), FLOW, RAIN, head=("time", "date", "flow", "rain")), 1, "hours"),
    "20231231": (two(dates("%Y%m%d")), 1, "days"),
    "Thu 25 Mar 2021": (two(dates("%a %d %b %Y")), 1, "days"),
    "Thursday, March 25, 2021": (two([f'"{date}"' for date in dates("%A, %B %d, %Y")]), 1, "days"),
    "year, month and day":
        (table(dates("%Y"), dates("%m"), dates("%d"), FLOW, RAIN, head=("year", "month", "day", "flow", "rain")), 1, "days"),
    "year and month": (table(months(lambda y, m: y), months(lambda y, m: m), FLOW, RAIN, head=("Year", "Month", "flow", "rain")),
                       1, "months"),
    "date and hour": (table(dates("%Y-%m-%d", HOUR), [i % 24 for i in range(ROWS)], FLOW, RAIN,
                            head=("date", "hour", "flow", "rain")), 1, "hours"),
    "numbered rows": (table(range(ROWS), dates("%Y-%m-%d"), FLOW, RAIN, head=("", "date", "flow", "rain")), 1, "days"),
    "bars": (two(dates("%Y-%m-%d"), separator="|"), 1, "days"),
    "an empty last column": (table(dates("%Y-%m-%d"), FLOW, RAIN, [""] * ROWS, head=("date", "flow", "rain", "")), 1, "days"),
    "1,234.5": (table(dates("%Y-%m-%d"), FLOW, [f'"{v:,}"' for v in LARGE]), 1, "days"),
    "1.234,5": (table(dates("%Y-%m-%d"), comma(FLOW), [f"{v:,}".translate({44: ".", 46: ","}) for v in LARGE],
                      separator=";"), 1, "days"),
    "tabs and 1,234.5": (table(dates("%Y-%m-%d"), FLOW, [f"{v:,}" for v in LARGE], separator="\t"), 1, "days"),
    "a line of units": (two(dates("%Y-%m-%d"), below=[",m³/s,mm"]), 1, "days"),
    "units in brackets": (two(dates("%d.%m.%Y"), below=["[UTC],[m3/s],[mm]"]), 1, "days"),
    "5.2 mm": (table(dates("%Y-%m-%d"), FLOW, [f"{v} mm" for v in RAIN]), 1, "days"),
    "52%": (table(dates("%Y-%m-%d"), FLOW, [f"{v}%" for v in RAIN]), 1, "days"),
    "a row twice": (two(dates("%Y-%m-%d"), behind=[f"{dates('%Y-%m-%d')[-1]},{FLOW[-1]},{RAIN[-1]}"]), 1, "days"),
    "a total": (two(dates("%Y-%m-%d"), behind=[f"Total,{sum(FLOW)},{sum(RAIN)}"]), 1, "days"),
    "mean and sum": (two(dates("%Y-%m-%d"), behind=["Mean,5.1,2", "Sum:,123,77"]), 1, "days"),
    "steps without dates": (two(range(1, ROWS + 1), head=("step", "flow", "rain")), 1, "steps"),
    "years": (two(range(1950, 1950 + ROWS), head=("Year", "flow", "rain")), 1, "years"),
    "Zeit": (two(dates("%d.%m.%Y"), head=("Zeit", "flow", "rain")), 1, "days"),
}
LONG = "".join(f"{time},{station},{value}\n" for i, time in enumerate(dates("%d.%m.%Y"))
               for station, value in (("flow", FLOW[i]), ("rain", RAIN[i])))
PANEL = [(name, wave, FLOW[10 * s + wave], RAIN[10 * s + wave]) for s, name in enumerate(("Ann", "Ben", "Cem")) for wave in range(10)]


class Tables(CommandTest):
    def read(self, text, *words, encoding="utf-8"):
        path = self.folder / "table.csv"
        path.write_bytes(text.encode(encoding))
        return json.loads(self.expect(0, "lags", path, "--explain-reading", "--json", *words).stdout)

    def refused(self, text, *wanted):
        path = self.folder / "table.csv"
        path.write_text(text, encoding="utf-8")
        error = self.expect(4, "lags", path, "--explain-reading").stderr
        self.assertEqual(len(error.strip().splitlines()), 1, error)
        for words in ("table.csv", *wanted):
            self.assertIn(words, error)

    def check(self, read, rain=None, values=ROWS):
        self.assertEqual([series["name"] for series in read["series"]], ["flow", "rain"])
        flow, other = read["series"]
        self.assertEqual((flow["values"], flow["missing"], flow["min"], flow["max"]), (values, 0, min(FLOW), max(FLOW)))
        rain = rain or RAIN
        self.assertEqual((other["values"], other["min"], other["max"]), (values, min(rain), max(rain)))

    def test_ordinary_tables_are_read_rightly(self):
        for name, (text, step, unit) in EVEN.items():
            with self.subTest(name):
                read = self.read(text)
                self.assertEqual((read["times"], read["step"], read["unit"], read["rows"]), ("even", step, unit, ROWS))
                self.check(read, LARGE if "234" in name else None)

    def test_what_was_understood_is_told(self):
        for name, words in {"British dates": "day/month/year: there is 20/12/2023", "a total": "1 row at the end (Total)",
                            "American months, told by their even steps": "month/day/year: only so are they evenly spaced",
                            "a row twice": "1 row repeats the row before", "5.2 mm": "'rain' are in mm",
                            "a line of units": "flow in m³/s, rain in mm", "1,234.5": "marks between thousands"}.items():
            with self.subTest(name):
                self.assertIn(words, " ".join(self.read(EVEN[name][0])["notes"]))

    def test_latin_letters_are_read(self):
        read = self.read(two(dates("%d.%m.%Y"), head=("Datum", "Abfluß", "Höhe €")), encoding="cp1252")
        self.assertEqual([series["name"] for series in read["series"]], ["Abfluß", "Höhe €"])
        self.assertIn("Latin-1", " ".join(read["notes"]))

    def test_times_stations_and_values_are_a_long_table(self):
        for head in ("time,station,value", "date,sensor,reading", "timestamp,site,level"):
            with self.subTest(head):
                read = self.read(f"{head}\n{LONG}")
                self.check(read)
                self.assertEqual((read["step"], read["unit"]), (1, "days"))
        twice = LONG + LONG.splitlines()[-1] + "\n"
        self.check(self.read(f"time,station,value\n{twice}"))

    def test_panels_are_recordings(self):
        heads = {"subject,visit,flow,rain": range(3), "patient_id,wave,flow,rain": range(3),
                 "country,year,flow,rain": ("AUT", "BEL", "CHE"), "Station,Date,flow,rain": ("north", "south", "west")}
        for head, names in heads.items():
            with self.subTest(head):
                time = (lambda wave: dates("%d.%m.%Y")[wave]) if "Date" in head else (lambda wave: 2000 + wave)
                rows = [f"{names[i // 10]},{time(wave)},{flow},{rain}" for i, (_, wave, flow, rain) in enumerate(PANEL)]
                read = self.read("\n".join([head, *rows]) + "\n")
                self.check(read)
                self.assertEqual(read["recordings"], 3)

    def test_marks_of_missing_values_are_named_and_treated(self):
        for mark in (-999, -9999, 9999, -99.9, 1e20):
            marked = [mark if i in (3, 17) else value for i, value in enumerate(FLOW)]
            text = table(dates("%Y-%m-%d"), marked, RAIN)
            with self.subTest(mark):
                self.refused(text, "'flow'", "2 times", "missing", "none")
                read = self.read(text, "--missing", f"{mark},-77")
                self.assertEqual((read["series"][0]["missing"], read["series"][0]["values"]), (2, ROWS - 2))
                self.assertEqual(self.read(text, "--missing", "none")["series"][0]["missing"], 0)

    def test_words_and_dashes_stand_for_missing_values(self):
        for word in ("-", "--", "NA", "#N/A", "n.a.", "missing", "NULL", "?"):
            with self.subTest(word):
                read = self.read(table(dates("%Y-%m-%d"), [word if i % 7 == 0 else v for i, v in enumerate(FLOW)], RAIN))
                self.assertEqual(read["series"][0]["missing"], 5)
        minus = self.read(table(dates("%Y-%m-%d"), [f"\u2212{v}" for v in FLOW], RAIN))
        self.assertEqual(minus["series"][0]["min"], -max(FLOW))

    def test_what_can_be_read_in_two_ways_is_asked(self):
        text = two([f"{day:02}/{day % 12 + 1:02}/2020" for day in (1, 5, 3, 4, 2, 6, 9, 8, 7, 11, 10, 12)])
        self.refused(text, "day/month or month/day", "day-first or month-first")
        short = "date,flow,rain\n" + "".join(f"0{d}/05/2020,{FLOW[d]},{RAIN[d]}\n" for d in range(1, 9))
        self.refused(short, "day-first or month-first")
        self.assertEqual(self.read(short, "--dates", "day-first")["unit"], "days")
        self.assertEqual(self.read(short, "--dates", "month-first")["unit"], "months")
        self.refused(table(dates("%Y-%m-%d"), comma(FLOW), ["1.234"] * 15 + ["2.345"] * 15, separator=";"), "1234 or 1.234")

    def test_what_is_no_table_of_series_is_refused_with_the_way_out(self):
        cases = {
            "two values at a time": (two(dates("%Y-%m-%d"), behind=[f"{dates('%Y-%m-%d')[-1]},1,2"]), "again"),
            "a total in the midst": (two(dates("%Y-%m-%d")[:4], behind=["Total,1,2", "2024-03-01,1,2"]), "Total", "take that row out"),
            "two units": (table(dates("%Y-%m-%d"), FLOW, [f"{v} {'mm' if i < 9 else 'cm'}" for i, v in enumerate(RAIN)]), "cm", "mm"),
            "a unit now and then": (table(dates("%Y-%m-%d"), FLOW, [f"{v}{' mm' if i < 9 else ''}" for i, v in enumerate(RAIN)]), "unit"),
            "thousands as letters": (table(dates("%Y-%m-%d"), FLOW, [f"{v}k" for v in RAIN]), "not a number"),
            "no such day": (two(["2023-02-30", *dates("%Y-%m-%d")[1:]]), "not a"),
            "a date in another form": (two([*dates("%d.%m.%Y")[:-1], "yesterday"]), "yesterday", "dates"),
            "a 13th month": (two([*dates("%d.%m.%Y")[:-1], "01.13.2024"]), "01.13.2024"),
            "words": (table(dates("%Y-%m-%d"), FLOW, ["wet"] * ROWS), "column 'rain' holds words ('wet')"),
        }
        for name, (text, *wanted) in cases.items():
            with self.subTest(name):
                self.refused(text, *wanted)

    def test_people_see_what_was_read(self):
        path = self.folder / "table.csv"
        path.write_text(EVEN["British dates"][0], encoding="utf-8")
        shown = self.expect(0, "lags", path, "--explain-reading").stdout
        self.assertRegex(shown, r"(?m)^ *series +values +missing +least +median +largest$")
        self.assertRegex(shown, rf"(?m)^ *flow +{ROWS} +0 ")
        self.assertFalse((self.folder / "runs").exists())


if __name__ == "__main__":
    unittest.main()
