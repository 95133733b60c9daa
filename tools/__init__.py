"""What builds the package's data and docs; never imported by the package."""
