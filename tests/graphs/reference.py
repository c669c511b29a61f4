"""Smurfs' rollback as the paper tells it (3.4), in another way than the nodes: by what is banned after which steps.

A trajectory is the tuple of its steps' places in global memory. An API that failed after a trajectory is banned
there, and so is the API of a step that led nowhere. The tool list of a step is the pool without what is banned.
"""

from collections import defaultdict


class Reference:
    """One subtask's memories and tool lists, told of each event and checking what it is told."""

    def __init__(self, pool=(), history=None):
        self.pool = pool
        self.history = [] if history is None else history  # global memory: the APIs of all steps, in order
        self.trajectory = ()
        self.banned = defaultdict(set)
        self.chosen = None
        self.calls = 0
        self.solved = False

    def allowed(self, trajectory):
        return [api for api in self.pool if api not in self.banned[trajectory]]

    def lists(self):
        return [self.allowed(self.trajectory[:length]) for length in range(len(self.trajectory) + 1)]

    def choose(self, api):
        assert api in self.allowed(self.trajectory), "an API that is banned at this step was chosen again"
        self.chosen = api

    def called(self):
        self.calls += 1

    def roll_back(self):
        self.banned[self.trajectory].add(self.chosen)
        while not self.allowed(self.trajectory) and self.trajectory:
            *before, last = self.trajectory
            self.trajectory = tuple(before)
            self.banned[self.trajectory].add(self.history[last])

    def keep(self, *, done):
        self.history.append(self.chosen)
        self.trajectory = (*self.trajectory, len(self.history) - 1)
        self.solved = done

    def exhausted(self):
        return not self.trajectory and not self.allowed(())

    def may_go_on(self, *, max_steps, max_calls):
        """Whether another call is due."""
        return not self.solved and not self.exhausted() and len(self.trajectory) < max_steps and self.calls < max_calls
