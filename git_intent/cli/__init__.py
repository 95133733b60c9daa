"""One file a command: parse, call one function of one room, print."""
