"""The fixtures that serve a module's `project` to a real browser."""

from tests.support.browser import browser, console, served, visitors, world

__all__ = ["browser", "console", "served", "visitors", "world"]
