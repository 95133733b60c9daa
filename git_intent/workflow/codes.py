"""The codes of findings about workflow files: what each means, and how to repair it.

W0xx are warnings about a file that can be read, W1xx errors: the workflow could not
run like this. A code keeps its meaning for ever; `docs/checks.md` has their examples.
"""

CODES = {
    "W001": (
        "the old spelling of an opt-out",
        "write `intent_tracking = false`; the old line counts until then",
    ),
    "W002": ("a key that no step has", "correct the name"),
    "W003": ("a key stands twice", "keep one; the later one counts"),
    "W004": (
        "an output mapping on a wire",
        "remove it; it has had no effect for long",
    ),
    "W005": (
        "a prompt's file is not there",
        "write the file, or correct the path; it starts at the project's root",
    ),
    "W006": (
        "workflows run one another in a circle",
        "see to it that such a run ends",
    ),
    "W100": ("a workflow without steps", "add a step"),
    "W101": ("two steps of one name", "rename one"),
    "W102": (
        "a step is called `done` or `abort`",
        "rename it; these are the ends of a run",
    ),
    "W103": (
        "a step with no kind, or with two",
        "give it exactly one of `prompt`, `run`, `workflow_name`, `poll`",
    ),
    "W104": ("a polling step without interval", 'add `interval = "30s"`'),
    "W105": ("not a duration", "write it like `30s`, `10m` or `1h30m`"),
    "W106": (
        "`agent` on a step without a prompt, or an unknown agent",
        "name an agent of this workflow, on a step with a prompt",
    ),
    "W107": ("a reserved result", "rename the result"),
    "W108": (
        "`max_attempts` without its result",
        "declare `give-up` in `results`",
    ),
    "W109": ("both `host` and `container`", "keep one of the two blocks"),
    "W110": ("a wire from a step that does not exist", "correct the name"),
    "W111": (
        "a wire for a result that the step does not declare",
        "declare the result, or correct the name",
    ),
    "W112": (
        "a wire to a step that does not exist",
        "correct the name; `done` and `abort` are ends",
    ),
    "W113": ("a declared result without a wire", "add a wire for it"),
    "W114": ("a step that no wire leads to", "add a wire, or remove the step"),
    "W115": ("the file cannot be read", "write what the message asks for"),
    "W116": ("two workflows of one name", "remove or rename one of the two"),
    "W117": (
        "a step runs a workflow that does not exist",
        "correct the name; `git intent workflow list` shows all",
    ),
}
