"""Runs a program and writes what it used:  launch.py REPORT PROGRAM [WORDS...]

A small process of its own: the peak memory that Linux reports of a program begins with that of the process that started it."""
import json
import os
import sys

child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(child, 0)
with open(sys.argv[1], "w", encoding="utf-8") as report:
    json.dump({"seconds": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss}, report)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
