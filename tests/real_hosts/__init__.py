"""Real clients of the coding agents, driven against a model of our own.

`make test-hosts` installs them from npm into `.cache/` and runs the tests in a network
namespace of their own, so that nothing but the loopback can be reached.
"""
