"""Coding agents as hosts: their hook events in, replies in their own shape out."""
