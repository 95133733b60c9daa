"""The fixed words of what we put into prompts and documents.

The injected block and the exported section are written from these words and known by
them again: a scan must never take our own text for something that people decided.
"""

HEADING = "## Standing project requirements"
PREAMBLE = """\
These are established constraints and decisions for this project. Follow them unless
the task explicitly overrides one. Requirement IDs like [req-a3f8] are for reference;
one you believe is wrong or outdated should be flagged in your output, not silently
ignored."""

#: What stands below the lines that fit, with the number of those that do not.
OMITTED = "({count} more requirements omitted; run git intent list)"

#: The lines around an exported section begin with these words.
EXPORT_BEGINS = "<!-- git-intent:begin"
EXPORT_ENDS = "<!-- git-intent:end"
EXPORT_BEGIN = (
    f"{EXPORT_BEGINS}; written by `git intent export`, edit .cloche/intent/ instead -->"
)
EXPORT_END = f"{EXPORT_ENDS} -->"

#: The same around what `git intent install` tells an agent of the ledger.
GUIDE_BEGINS = "<!-- git-intent-guide:begin"
GUIDE_ENDS = "<!-- git-intent-guide:end"
GUIDE_BEGIN = f"{GUIDE_BEGINS}; written by `git intent install`, edits are lost -->"
GUIDE_END = f"{GUIDE_ENDS} -->"
