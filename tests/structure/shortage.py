#!/usr/bin/env python3
"""Every public header has tests in which allocations fail: shortage.py [source root]

The tests tests/*/memory_test.cpp name the headers whose functions they call while allocations fail: in lines `// Without memory: <header> <header>`, or
in tables whose rows begin with `{"<header>", `. A header of docs/reference/headers.md that no test names must be in one of the lists below."""

import re
import sys
from pathlib import Path

root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# These declare classes, constants or templates whose functions do not allocate themselves.
ALLOCATES_NOTHING = set("""
    chart/options.hpp cluster/distributed_options.hpp constant/constant_chart.hpp constant/constant_fsm.hpp constant/constant_instance.hpp constant/constant_view.hpp constant/fixed.hpp
    crowd/agent_id.hpp crowd/crowd_options.hpp define/choosing.hpp define/code.hpp define/event.hpp define/event_range.hpp define/owned.hpp define/score.hpp define/scores.hpp define/state_ref.hpp
    define/time_span.hpp draw/options.hpp fwd.hpp load/load_options.hpp op/input.hpp op/observer.hpp op/record.hpp op/result.hpp
    inspect/page_options.hpp run/answers.hpp run/result_counts.hpp run/instance_options.hpp save/archive.hpp save/serialize.hpp scxml/options.hpp version.hpp""".split())

# Exceptions and findings, which are created after a failure.
ERRORS = set("""
    chart/finding.hpp cluster/cluster_error.hpp compile/definition_error.hpp crowd/crowd_error.hpp draw/draw_error.hpp draw/drawing.hpp inspect/inspect_error.hpp load/load_error.hpp manage/manager_error.hpp
    observe/coverage_error.hpp observe/trace_error.hpp reload/reload_error.hpp replay/replay_error.hpp run/error.hpp save/save_error.hpp""".split())

public = {name for name in re.findall(r"\(\.\./\.\./hsm/([\w/]+\.hpp)\)", (root / "docs/reference/headers.md").read_text()) if "/" in name or name in ALLOCATES_NOTHING}
tested = {}
for test in sorted((root / "tests").glob("*/memory_test.cpp")):
    text = test.read_text()
    named = [word for line in re.findall(r"^// Without memory: (.*)$", text, re.MULTILINE) for word in line.split()]
    for header in named + re.findall(r"^ *\{\"(\w+/\w+\.hpp)\", ", text, re.MULTILINE):
        tested.setdefault(header, test.relative_to(root))

problems = []
for header in sorted(public - set(tested) - ALLOCATES_NOTHING - ERRORS):
    problems.append(f"{header}: no memory_test.cpp names it, and it is in no list of {Path(__file__).name}")
for header in sorted((ALLOCATES_NOTHING | ERRORS) & set(tested)):
    problems.append(f"{header}: {tested[header]} tests it, so it must not be in a list")
for header in sorted((set(tested) | ALLOCATES_NOTHING | ERRORS) - public):
    problems.append(f"{header}: not a public header ({tested.get(header, Path(__file__).name)})")
print("\n".join([*problems, f"{len(public)} public headers, {len(tested)} tested, {len(problems)} problems"]))
sys.exit(1 if problems or not tested else 0)
