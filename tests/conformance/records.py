# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records of what the original engine computed: read, checked for damage, and turned into task types."""

import json


class Damaged(Exception):
    """A file of records that cannot be used; says where and why in one line."""


LARGEST = 10**6  # of any number in a record: far beyond sense, and well within an int


def _number(value, _known):
    if isinstance(value, bool) or not isinstance(value, int):
        return "a whole number"
    return None if abs(value) <= LARGEST else f"a number up to {LARGEST}"


def _boolean(value, _known):
    return None if isinstance(value, bool) else "true or false"


def _text(value, _known):
    return None if isinstance(value, str) else "a text"


def _stream(value, known):
    if not isinstance(value, str):
        return "a text"
    return None if known is None or value in known else "a stream that `streams` lists"


def _list(of):
    def check(value, known):
        if not isinstance(value, list):
            return "a list"
        return next((f"a list, each of it {w}" for v in value if (w := of(v, known))), None)

    return check


def _tuple(*of):
    def check(value, known):
        if not isinstance(value, list) or len(value) != len(of):
            return f"a list of {len(of)}"
        return next((f"a list of {len(of)}, with {w} in it" for o, v in zip(of, value) if (w := o(v, known))), None)

    return check


def _table(of):
    def check(value, known):
        if not isinstance(value, dict):
            return "an object"
        return next((f"an object, each of it {w}" for v in value.values() if (w := of(v, known))), None)

    return check


def _counts(of):
    """A table whose keys are numbers written as text."""

    def check(value, known):
        if isinstance(value, dict) and not all(k.isascii() and k.isdigit() and int(k) <= LARGEST for k in value):
            return "an object with numbers for keys"
        return _table(of)(value, known)

    return check


def _object(**fields):
    def check(value, known):
        if not isinstance(value, dict):
            return "an object"
        for name, of in fields.items():
            if name not in value:
                return f"an object with `{name}`"
            if wanted := of(value[name], known):
                return f"an object whose `{name}` is {wanted}"
        return None

    return check


_names = _list(_text)
_links = _list(_tuple(_text, _number))
_task = {
    "name": _text,
    "stream": _stream,
    "lookahead": _number,
    "reads": _links,
    "writes": _links,
    "depends_on": _names,
    "cross_iter_depends_on": _links,
    "same_progress_sync": _names,
    "nccl": _boolean,
}
_record = {"id": _text, "streams": _names, "verdict": _text, "tasks": _list(_object())}
_valid = {
    "order": _names,
    "in_flight": _number,
    "edges": _table(_names),
    "event_deps": _table(_list(_tuple(_text, _stream, _number))),
    "tickets": _names,
    "cpu_deps": _table(_object(chains=_table(_names), deps=_table(_names))),
    "fires": _counts(_list(_list(_tuple(_text, _number)))),
}
_invalid = {"error": _object(kind=_text, rule=_number)}


def _require(value, fields, known, where):
    for name, check in fields.items():
        if name not in value:
            raise Damaged(f"{where}: `{name}` is missing")
        if wanted := check(value[name], known):
            raise Damaged(f"{where}: `{name}` is not {wanted}")


def _checked(text, where):
    try:
        record = json.loads(text)
    except ValueError as error:
        raise Damaged(f"{where}: not JSON: {error}") from None
    except RecursionError:
        raise Damaged(f"{where}: not a record: nested too deeply") from None
    if not isinstance(record, dict):
        raise Damaged(f"{where}: not a record: no JSON object")
    _require(record, _record, None, where)
    if record["verdict"] not in ("valid", "invalid"):
        raise Damaged(f"{where}: `verdict` is neither valid nor invalid")
    valid = record["verdict"] == "valid"
    # An undeclared stream is what rule 3 finds; in a valid record it can only be damage.
    known = set(record["streams"]) if valid else None
    for number, task in enumerate(record["tasks"]):
        _require(task, _task, known, f"{where}: task {number}")
    _require(record, _valid if valid else _invalid, known, where)
    return record


def load(path):
    """The records of a file, as (line, record). Raises Damaged."""
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            lines = file.read().split("\n")
    except OSError as error:
        raise Damaged(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Damaged(f"{path}: not UTF-8") from None
    found = [(n, _checked(text, f"{path}:{n}")) for n, text in enumerate(lines, 1) if text.strip()]
    if not found:
        raise Damaged(f"{path}: no record in it")
    return found


def quoted(text):
    """A C++ string literal, of ASCII alone."""
    plain = lambda b: chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}"
    return '"' + "".join(plain(b) for b in text.encode("utf-8", "surrogatepass")) + '"'


def _type_names(record):
    """The type that each task name stands for: its first bearer's."""
    names = {}
    for number, task in enumerate(record["tasks"]):
        names.setdefault(task["name"], f"task_{number}")
    return names


def declarations(record, namespace, base=""):
    """C++ text: the record's slots and tasks as types, and `schedule`, in a namespace."""
    tasks = record["tasks"]
    types = _type_names(record)
    slots, unknown = {}, {}

    def slot(access, lookahead):
        name = slots.setdefault(access[0], f"slot_{len(slots)}")
        return name if access[1] == lookahead else f"st::at_offset<{name}, {access[1]}>"

    def task(name):
        return types.get(name) or unknown.setdefault(name, f"unknown_{len(unknown)}")

    bodies = []
    for number, t in enumerate(tasks):
        ahead = t["lookahead"]
        body = [f"struct task_{number}{base} {{", f"  static constexpr std::string_view name = {quoted(t['name'])};"]
        if t["stream"]:
            body.append(f"  using stream = st::stream<{quoted(t['stream'])}>;")
        if ahead:
            body.append(f"  static constexpr int lookahead = {ahead};")
        if t["nccl"]:
            body.append("  static constexpr bool collective = true;")
        fields = {
            "reads": [slot(a, ahead) for a in t["reads"]],
            "writes": [slot(a, ahead) for a in t["writes"]],
            "depends_on": [task(n) for n in t["depends_on"]],
            "cross_iter_depends_on": [f"st::ago<{task(n)}, {-ago}>" for n, ago in t["cross_iter_depends_on"]],
            "same_progress_sync": [task(n) for n in t["same_progress_sync"]],
        }
        for field, entries in fields.items():
            if entries:
                body.append(f"  using {field} = st::{field}<{', '.join(entries)}>;")
        bodies += body + ["};"]
    source = slot(["batch_cpu", 0], 0)

    parts = [f"st::source<{source}>", f"st::streams<{', '.join(quoted(s) for s in record['streams'])}>"]
    parts += [f"task_{number}" for number in range(len(tasks))]
    lines = [f"namespace {namespace} {{"]
    lines += [f"struct task_{number};" for number in range(len(tasks))]
    lines += [f"struct {s} {{ static constexpr std::string_view name = {quoted(n)}; }};" for n, s in unknown.items()]
    for name, s in slots.items():
        lines.append(f"struct {s} : st::slot<int> {{ static constexpr std::string_view name = {quoted(name)}; }};")
    lines += bodies
    lines += [f"struct schedule : st::schedule<{', '.join(parts)}> {{}};", f"}}  // namespace {namespace}"]
    return "\n".join(lines)


def thread_groups(record, chains, namespace):
    """C++ text: threads and who is on them, as the parts of `st::threads`."""
    types = _type_names(record)
    groups = []
    for thread, chain in chains.items():
        members = [f"{namespace}::{types[n]}" for n in chain if n in types]
        groups.append(f"st::group<{', '.join([quoted(thread)] + members)}>")
    return groups or ["st::by_stream"]
