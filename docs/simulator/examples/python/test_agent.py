"""A model that wants the time for itself does not get it.

SIMULATOR=http://127.0.0.1:8083/mcp python3 -m unittest
"""
import os
import unittest

from agent import RUNNERS, Session, play


class Impatient:
    """A model that tries what only the runner may do."""

    def __init__(self):
        self.ticks, self.tools, self.answers = [], set(), []

    def __call__(self, observation, tools, use):
        self.ticks.append(observation["tick"])
        self.tools |= {tool["name"] for tool in tools}
        self.answers.append(use("next_tick", {"expected_tick": observation["tick"]}))
        self.answers.append(use("start_episode", {"scenario_id": "stage1-basic@londone"}))
        self.answers.append(use("status", {})["tick"])


class TestPlay(unittest.TestCase):
    def test_time_is_the_runners(self):
        session, model = Session(os.environ["SIMULATOR"]), Impatient()
        end = play(session, model, "stage1-basic@oldtown")
        session.send("DELETE")
        self.assertEqual(end["lifecycle"], "terminal")
        self.assertEqual(model.ticks, list(range(end["tick"])))  # each of them once
        self.assertEqual(model.tools, {"building_to_coords", "dispatch", "list_scenarios", "status", "travel_time"})
        self.assertFalse(model.tools & RUNNERS)
        for i, tick in enumerate(model.ticks):
            *refused, now = model.answers[3 * i:3 * i + 3]
            self.assertEqual([answer["error"]["code"] for answer in refused], ["UNKNOWN_TOOL"] * 2)
            self.assertEqual(now, tick)


if __name__ == "__main__":
    unittest.main()
