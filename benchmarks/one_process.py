"""Run a command; print its seconds by the clock and of the processor, and its peak memory in MB.

The peak is that of the largest of its processes. What the command prints is lost. This is a program
of its own, and small, because a process starts with the peak of the one that started it.
"""

import json
import os
import subprocess
import sys
import time

UNIT = 1e6 if sys.platform == "darwin" else 1e6 / 1024

if __name__ == "__main__":
    start = time.perf_counter()
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    print(json.dumps([wall, used.ru_utime + used.ru_stime, used.ru_maxrss / UNIT]))
    sys.exit(process.returncode)
