"""One line of the benchmark's table, and the table as text, Markdown and JSON."""
import dataclasses
import json


@dataclasses.dataclass
class Record:
    """ours, peer_value in `unit`; ratio: how many times better ours is; shares: of what the processor's FMA units can do,
    and of what the cost model allows; holds: None where nothing is required or it was not measured."""
    case: str
    threads: int
    ours: float = None
    unit: str = ""
    peer: str = ""
    peer_value: float = None
    ratio: float = None
    peak_share: float = None
    limit_share: float = None
    required: str = ""
    holds: bool = None
    note: str = ""
    low: float = None    # of an interval of ours, where there is one
    high: float = None


def number(value, digits=3):
    if value is None:
        return ""
    return f"{value:.{digits}g}" if abs(value) < 10 ** digits else f"{value:,.0f}"


def verdict(record):
    return "" if record.holds is None else "yes" if record.holds else "NO"


COLUMNS = {"case": lambda r: r.case, "threads": lambda r: str(r.threads), "ours": lambda r: number(r.ours),
           "unit": lambda r: r.unit, "peer": lambda r: r.peer, "its value": lambda r: number(r.peer_value),
           "ratio": lambda r: number(r.ratio), "of peak": lambda r: number(r.peak_share, 2),
           "of limit": lambda r: number(r.limit_share, 2), "required": lambda r: r.required, "holds": verdict,
           "note": lambda r: r.note}
WIDTHS = [43, 7, 8, 10, 25, 9, 6, 7, 8, 15, 5, 0]


def row(cells):
    return " ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS)).rstrip()


def heading():
    return row(COLUMNS)


def text(record):
    return row([write(record) for write in COLUMNS.values()])


def tally(records):
    """A line, where something is required and was measured, or a case failed: it has no row of what is required."""
    judged = [record.holds for record in records if record.required and record.holds is not None]
    failed = sum(record.holds is False and not record.required for record in records)
    words = [f"{sum(judged)} of {len(judged)} required hold"] * bool(judged) + [f"cases that failed: {failed}"] * bool(failed)
    return "; ".join(words) + "\n" * bool(words)


def markdown(records, machine):
    lines = [machine, "", "| " + " | ".join(COLUMNS) + " |", "|" + " --- |" * len(COLUMNS)]
    lines += ["| " + " | ".join(write(record) for write in COLUMNS.values()) + " |" for record in records]
    return "\n".join(lines) + "\n"


def as_json(records):
    return json.dumps([dataclasses.asdict(record) for record in records], indent=1) + "\n"
