"""python3 usage.py <script> [argument...]

Runs a script and writes the CPU time and the peak memory of the process to the file BENCH_USAGE, as usage.cjs does for Node.
"""

import atexit
import json
import os
import re
import resource
import runpy
import sys


def write_usage():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    with open("/proc/self/status") as status:
        peak_kb = int(re.search(r"VmHWM:\s+(\d+)", status.read())[1])
    usage = {
        "cpuMs": sum(each.ru_utime + each.ru_stime for each in used) * 1000,
        "peakBytes": peak_kb * 1024,
    }
    with open(os.environ["BENCH_USAGE"], "w") as file:
        json.dump(usage, file)


atexit.register(write_usage)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
