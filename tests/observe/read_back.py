#!/usr/bin/env python3
"""Reads converted traces without the library, and compares the intervals in which states are active.

    read_back.py FOLDER    reads for each run N: N.jsonl, N.json (Chrome's trace events), N.pb (Perfetto), N.end (the states active at the end)
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


class Wrong(Exception):
    pass


def need(fact, what):
    if not fact:
        raise Wrong(what)


class Intervals:
    """The intervals (machine, path, begin, end), and the states that are still active."""

    def __init__(self):
        self.closed, self.open = [], {}

    def begin(self, machine, path, time):
        need((machine, path) not in self.open, f"{path} begins twice")
        self.open[machine, path] = time

    def end(self, machine, path, time):
        self.closed.append((machine, path, self.open.pop((machine, path)), time))

    def finish(self, last):
        for (machine, path), begin in list(self.open.items()):
            self.closed.append((machine, path, begin, last[machine]))
        return sorted(self.closed)


def of_json_lines(path):
    found, last = Intervals(), {}
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        machine, time, kind = entry["machine"], entry["time"], entry["kind"]
        need(time >= last.get(machine, 0), "time goes back")
        last[machine] = time
        active = {p for m, p in found.open if m == machine}
        if kind == "entered":
            found.begin(machine, entry["state"], time)
        if kind == "exited":
            for p in sorted(active, reverse=True):
                if p == entry["state"] or p.startswith(entry["state"] + "/"):
                    found.end(machine, p, time)
        if kind == "configuration":
            for p in sorted(active - set(entry["active"])):
                found.end(machine, p, time)
            for p in entry["active"]:
                if p not in active:
                    found.begin(machine, p, time)
    at_end = sorted(p for _, p in found.open)
    return found.finish(last), at_end


def of_chrome(path):
    """Checks the rules of the format: on each thread, events are in the order of time, and each interval ends, the innermost first."""
    found, stacks, last, named, moments = Intervals(), {}, {}, {}, 0
    trace = json.loads(path.read_text(encoding="utf-8"))
    need(set(trace) == {"displayTimeUnit", "traceEvents"} and trace["displayTimeUnit"] in ("ms", "ns"), "its head")
    for e in trace["traceEvents"]:
        place = e["pid"], e["tid"]
        need(e["ph"] in "BEiM" and all(isinstance(n, int) for n in place), f"{e}")
        if e["ph"] == "M":
            need(e["name"] in ("process_name", "thread_name") and isinstance(e["args"]["name"], str), f"{e}")
            named[(e["name"], *place) if e["name"] == "thread_name" else (e["name"], place[0])] = e["args"]["name"]
            continue
        need(("thread_name", *place) in named and ("process_name", place[0]) in named, f"without a name: {e}")
        time = round(e["ts"] * 1000)
        need(time >= last.get(place, 0), f"time goes back: {e}")
        last[place] = time
        machine, stack = e["pid"] - 1, stacks.setdefault(place, [])
        if e["ph"] == "B":
            outermost = named[("thread_name", *place)]
            state = f"{stack[-1][0]}/{e['name']}" if stack else outermost
            need(state.split("/")[-1] == e["name"] and e["cat"] == "state", f"{e}")
            stack.append((state, time))
        elif e["ph"] == "E":
            need(stack and stack[-1][0].split("/")[-1] == e["name"], f"ends an interval that has not begun: {e}")
            state, begin = stack.pop()
            found.closed.append((machine, state, begin, time))
        elif e["cat"] == "state":  # exited at the time of its entry
            moments += 1
        else:
            need(e["s"] == "t" and set(e["args"]) == {"from", "to", "reason", "event"}, f"{e}")
    need(not any(stacks.values()), "an interval has not ended")
    return sorted(found.closed), moments


FIELD = re.compile(r"\s*(\w+)(?:: (.*))?(?: \{)?$")
BYTES = re.compile(rb'\\([0-7]{3}|.)')


def unquoted(text):
    def of(match):
        code = match.group(1)
        return bytes([int(code, 8)]) if len(code) == 3 else {b"n": b"\n", b"t": b"\t", b"r": b"\r"}.get(code, code)

    return BYTES.sub(of, text[1:-1].encode()).decode("utf-8")


def parsed(lines):
    """A message in protobuf's text format: a list of (name, value)."""
    fields = []
    for line in lines:
        if line.strip() == "}":
            return fields
        name, value = FIELD.match(line).groups()
        if value is None:
            fields.append((name, parsed(lines)))
        else:
            fields.append((name, unquoted(value) if value.startswith('"') else value))
    return fields


def of_perfetto(path):
    found, stacks, tracks, last = Intervals(), {}, {}, {}
    text = subprocess.run(
        ["protoc", f"-I{HERE}", "--decode=perfetto.Trace", "perfetto.proto"], stdin=path.open("rb"), capture_output=True, check=True
    ).stdout.decode()
    need(not re.search(r"^\s*\d+[:{ ]", text, re.M), "a field that Perfetto does not know")
    first = True
    for name, packet in parsed(iter(text.splitlines())):
        packet = dict(packet)
        need(name == "packet" and packet["trusted_packet_sequence_id"] == "1", "a packet")
        need(("sequence_flags" in packet) == first, "the first packet begins a sequence")
        first = False
        if "track_descriptor" in packet:
            track = dict(packet["track_descriptor"])
            need(track["uuid"] not in tracks and track["uuid"] != "0", "a track has two descriptions")
            tracks[track["uuid"]] = track.get("parent_uuid", track["uuid"])
            continue
        event, time = dict(packet["track_event"]), int(packet["timestamp"])
        uuid = event["track_uuid"]
        machine = int(tracks[uuid]) // 65536 - 1
        need(time >= last.get(uuid, 0), "time goes back")
        last[uuid] = time
        stack = stacks.setdefault(uuid, [])
        if event["type"] == "TYPE_SLICE_BEGIN":
            state = dict(event["debug_annotations"])
            need(state["name"] == "path" and event["categories"] == "state", "a state")
            stack.append((state["string_value"], time))
        elif event["type"] == "TYPE_SLICE_END":
            state, begin = stack.pop()
            found.closed.append((machine, state, begin, time))
        else:
            need(event["type"] == "TYPE_INSTANT" and event["categories"] == "transition", "a transition")
    need(not any(stacks.values()), "an interval has not ended")
    return sorted(found.closed)


def main():
    folder = pathlib.Path(sys.argv[1])
    runs = sorted(folder.glob("*.jsonl"))
    with_protoc = shutil.which("protoc") is not None
    if not with_protoc:
        print("skipped: Perfetto's format, because protoc is not installed (Debian: protobuf-compiler)")
    problems = intervals = 0
    for run in runs:
        try:
            expected, at_end = of_json_lines(run)
            need(at_end == sorted(run.with_suffix(".end").read_text().split("\n")[:-1]), "the states that are active at the end")
            lasting = [i for i in expected if i[2] != i[3]]
            need(of_chrome(run.with_suffix(".json")) == (lasting, len(expected) - len(lasting)), "Chrome's trace events contain other intervals")
            if with_protoc:
                need(of_perfetto(run.with_suffix(".pb")) == expected, "Perfetto's trace contains other intervals")
            intervals += len(expected)
        except Wrong as e:
            problems += 1
            print(f"{run.stem}: {e}")
    print(f"{len(runs)} runs, {intervals} intervals, {problems} problems")
    return 1 if problems or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
