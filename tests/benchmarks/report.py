#!/usr/bin/env python3
"""Runs benchmarks and prints their BENCH lines: report.py <compile_commands.json> <program>...

Measures the values that the programs print as "-": with callgrind if it is installed, the instructions and indirect jumps per event, as the difference
between runs of one and of three passes; and the seconds to compile many_states.cpp. Fails only if a program fails, because its work was not done correctly."""

import json
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EVENTS_PER_PASS = 65536


def counts_of_run(program, workload, param, label, passes):
    """The numbers of instructions and of indirect jumps and calls (not returns)."""
    words = [program, workload, param, label, str(passes)]
    command = ["valgrind", "--tool=callgrind", "--branch-sim=yes", "--callgrind-out-file=/dev/null", *words]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    names, values = (run.stderr.rpartition(title)[2].splitlines()[0].split() for title in ("Events    :", "Collected :"))
    counts = dict(zip(names, map(int, values)))
    return counts["Ir"], counts["Bi"]


def counts_per_event(program, workload, param, label):
    few, many = (counts_of_run(program, workload, param, label, passes) for passes in (1, 3))
    return [f"{(b - a) / (2 * EVENTS_PER_PASS):.1f}" for a, b in zip(few, many)]


def seconds_to_compile(commands, name):
    """Processor time, which hardly depends on other processes."""
    entry = next(entry for entry in json.loads(Path(commands).read_text()) if entry["file"].endswith(name))
    words = shlex.split(entry["command"])
    with tempfile.TemporaryDirectory() as folder:
        for option in ("-o", "-MF"):
            if option in words:
                words[words.index(option) + 1] = str(Path(folder) / option)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, cwd=entry["directory"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.1f}"


def complete(line, program, commands):
    """The line with measured values instead of "-"."""
    words = line.split()
    workload, fields = words[1], dict(word.split("=", 1) for word in words[2:])
    label = next((name.removesuffix("_ns") for name in fields if name.endswith("_ns")), None)
    if shutil.which("valgrind"):
        for field, whose in (("instructions", label), ("reference_instructions", "reference")):
            if fields.get(field) == "-":
                fields[field], jumps = counts_per_event(program, workload, fields["param"], whose)
                if whose == label and fields.get("jumps") == "-":
                    fields["jumps"] = jumps
    if fields.get("seconds") == "-":
        fields["seconds"] = seconds_to_compile(commands, "many_states.cpp")
    return " ".join(words[:2] + [f"{name}={value}" for name, value in fields.items()])


commands, *programs = sys.argv[1:]
failed = False
if not shutil.which("valgrind"):
    print("note: valgrind is not installed, so instructions are not counted", file=sys.stderr)
if not any("boost" in program for program in programs):
    print("note: Boost is not installed, so W2 is not compared with Boost.MSM and Boost.Statechart", file=sys.stderr)
if not any("qt_scxml" in program for program in programs):
    print("note: qt6-scxml-dev is not installed, so SCXML is not compared with Qt", file=sys.stderr)
with ThreadPoolExecutor() as pool:
    for program in programs:
        run = subprocess.run([program], stdout=subprocess.PIPE, text=True)
        failed |= run.returncode != 0
        for line in pool.map(lambda line: complete(line, program, commands), run.stdout.splitlines()):
            print(line, flush=True)
sys.exit(failed)
