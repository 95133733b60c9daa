"""How fast and how good it is, measured; not part of the package."""
