"""What works of a project, its ledger and the hosts' hooks, and what to do if not.

Nothing is changed by looking: no lock is taken, no cache or index written.
"""
