# GDB pretty-printers for machines: the active path, the leaves of all regions, queued events, conditions, the clock.
#
#     (gdb) print agent
#     $1 = hsm::instance "character/attack/slash" = {leaves = ..., clock = 1.25 s, posted = 2, ...}
#
# Each program that links hsm contains this script in the section .debug_gdb_scripts. GDB loads it with the program if the program's folder is
# allowed: `add-auto-load-safe-path`. You can also load it manually: `source hsm_gdb.py`. It only reads memory, so it also works with core files.
import gdb
import gdb.printing

NO_INDEX = 0xFFFF
STATE_QUEUES, STATE_PAUSED, STATE_SCALED = 4, 32, 64


def text_of(string_view):
    """The text of a std::string_view or std::string of libstdc++ or libc++."""
    kind = string_view.type.strip_typedefs()
    fields = {field.name for field in kind.fields()}
    if "_M_str" in fields:
        length, first = int(string_view["_M_len"]), string_view["_M_str"]
    elif "__data_" in fields:
        length, first = int(string_view["__size_" if "__size_" in fields else "__size"]), string_view["__data_"]
    elif "std::__1::basic_string<" in str(kind):
        return text_of_libcxx(string_view)
    else:
        return string_view.format_string().strip('"')
    return first.string(length=length) if length else ""


def text_of_libcxx(string):
    """The text of a std::string of libc++. The names of its members differ between versions, but the layout is the same. The first bit is 0 in a
    short string, whose characters follow the size, and 1 in a long one, whose size and pointer follow the capacity."""
    process = gdb.selected_inferior()
    memory = bytes(process.read_memory(string.address, 24))
    if not memory[0] & 1:
        return memory[1:1 + (memory[0] >> 1)].decode()
    length, place = (int.from_bytes(memory[i:i + 8], "little") for i in (8, 16))
    return bytes(process.read_memory(place, length)).decode()


def seconds(nanoseconds):
    return f"{int(nanoseconds) / 1e9:.9f}".rstrip("0").rstrip(".") + " s"


class chart:
    """The tables of a chart. `head` points to its chart_head."""

    def __init__(self, head):
        self.core = head.cast(gdb.lookup_type("hsm::detail::chart_core").pointer()).dereference()

    def table(self, name):
        return self.core[name]["first_"]

    def size(self, name):
        return int(self.core[name]["size_"])

    def row(self, state):
        return self.table("states")[state]

    def name(self, state):
        return text_of(self.row(state)["node"]["name_"])

    def path(self, state):
        names = []
        while state != NO_INDEX:
            names.append(self.name(state))
            state = int(self.row(state)["superstate"])
        return "/".join(reversed(names))

    def superstates(self, state):
        """The superstates from the root inwards, and the state."""
        path = []
        while state != NO_INDEX:
            path.append(state)
            state = int(self.row(state)["superstate"])
        return path[::-1]

    def event(self, column):
        number = int(self.table("column_events")[column]) if column < self.size("column_events") else NO_INDEX
        if number >= self.size("events"):
            return f"event {column}"
        key = self.table("events")[number]
        return text_of(key["name"]) or text_of(key["type"].dereference()["name"])


class machine:
    """A running machine. `head` is its hsm::detail::machine."""

    def __init__(self, head):
        self.head = head
        self.chart = chart(head["chart"]) if int(head["chart"]) else None

    def at(self, part, type_name):
        """A pointer to a part of the machine's block. `part` is a field of the chart's layout."""
        offset = int(self.chart.core["layout"][part])
        return (self.head["block"] + offset).cast(gdb.lookup_type(type_name).pointer())

    def leaves(self):
        if not self.chart.core["by_regions"]:
            leaf = int(self.head["leaf"])
            return [leaf] if leaf != NO_INDEX else []
        regions = self.at("regions", "hsm::detail::region_state")
        active = [int(regions[r]["leaf"]) for r in range(self.chart.size("regions"))]
        active = [s for s in active if s != NO_INDEX]
        contains = lambda outer, s: outer < s <= int(self.chart.row(outer)["last"])
        return [s for s in active if not any(contains(s, other) for other in active)]

    def current(self):
        """The innermost state that contains all active leaves."""
        paths = [self.chart.superstates(s) for s in self.leaves()]
        if not paths:
            return None
        common = [s[0] for s in zip(*paths) if len(set(s)) == 1]
        return common[-1] if common else None

    def queues(self):
        if not int(self.head["state"]) & STATE_QUEUES:
            return None
        return self.at("queues", "hsm::detail::queue_head").cast(gdb.lookup_type("hsm::detail::queue_head").pointer().pointer()).dereference()

    def waiting(self, queue):
        """The names of the events in a queue, the oldest first."""
        slot, stride = queue["front_"], int(queue["stride_"])
        entry_type = gdb.lookup_type("hsm::detail::queued_entry").pointer()
        while int(slot) != int(queue["back_"]):
            entry = (slot.cast(entry_type) - 1).dereference()
            column = int(entry["column"])
            yield f"change to {self.chart.path(int(entry['target']))}" if column == 0 else self.chart.event(column)
            slot = slot + stride
            if int(slot) == int(queue["end_"]):
                slot = queue["memory_"]

    def conditions(self):
        """The names (or numbers) of the set conditions among the first 64."""
        count = self.chart.size("conditions")
        if count == 0 or not int(self.head["block"]):
            return []
        head = gdb.lookup_type("hsm::detail::condition_head")
        bits = int((self.head["block"].cast(head.pointer()) - 1).dereference()["bits"])
        names = self.chart.table("conditions")
        return [text_of(names[n]) or f"bit {n}" for n in range(min(count, 64)) if bits >> n & 1]


class instance_printer:
    def __init__(self, value):
        self.head = value["engine_"].cast(gdb.lookup_type("hsm::detail::machine"))
        try:
            self.machine = machine(self.head)
        except gdb.error as e:  # no debug information of the library's own types
            self.machine, self.problem = None, str(e)

    def to_string(self):
        if self.machine is None:
            return f"hsm::instance, leaf {int(self.head['leaf'])} ({self.problem})"
        if self.machine.chart is None:
            return "hsm::instance, moved from"
        state = self.machine.current()
        return "hsm::instance, not active" if state is None else f'hsm::instance "{self.machine.chart.path(state)}"'

    def children(self):
        if self.machine is None or self.machine.chart is None:
            return
        m = self.machine
        for i, leaf in enumerate(m.leaves()):
            yield f"leaf[{i}]", m.chart.path(leaf)
        flags = int(m.head["state"])
        yield "clock", seconds(m.head["now"]) + (", paused" if flags & STATE_PAUSED else "") + (", scaled" if flags & STATE_SCALED else "")
        if conditions := m.conditions():
            yield "conditions", ", ".join(conditions)
        queues = m.queues()
        if queues is not None and int(queues):  # created when the first event is queued
            for name in ("internal", "posted"):
                yield name, ", ".join(m.waiting(queues[name])) or "empty"
        yield "context", m.head["context"]


class chart_printer:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            core = chart(self.value["core_"])
            return f'hsm::chart "{core.name(0)}", {core.size("states")} states, {core.size("transitions")} transitions'
        except gdb.error as e:
            return f"hsm::chart ({e})"


class state_ref_printer:
    def __init__(self, value):
        self.node = value["node_"]

    def to_string(self):
        names, node = [], self.node
        while int(node):
            names.append(text_of(node["name_"]))
            node = node["superstate_"]
        return "/".join(reversed(names)) or "none"


class time_span_printer:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return seconds(self.value["ns_"])


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("hsm")
    collection.add_printer("instance", "^hsm::instance(_base|<.*>)$", instance_printer)
    collection.add_printer("chart", "^hsm::chart(_base|<.*>)$", chart_printer)
    collection.add_printer("state_ref", "^hsm::state_ref$", state_ref_printer)
    collection.add_printer("time_span", "^hsm::time_span$", time_span_printer)
    return collection


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
