"""Builders that several test rooms share."""
