"""Workflows in `.cloche/*.cloche` files: lexer, parser, catalog and trust."""
