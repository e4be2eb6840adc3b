"""Plays the example for Inspect: python3 play.py URL. Its model sends engines to what is reported, and tries to let time pass."""
import asyncio
import json
import sys
from pathlib import Path
from types import SimpleNamespace as Record

import inspect_ai

sys.path.append(str(Path(__file__).parents[3] / "docs/simulator/examples/inspect"))
import dispatch  # noqa: E402


class Impatient:
    """A model of three turns a tick."""

    def __init__(self):
        self.tools, self.refused, self.ticks = set(), 0, []

    async def generate(self, messages, tools):
        self.tools |= {tool.name for tool in tools}
        observation = json.loads(messages[1].content)
        answers = [message for message in messages if getattr(message, "role", None) == "tool"]
        places = [c["reported_location"] for c in observation["contacts"] if c["source_type"] != "vehicle_sensor"]
        places = [place["building_id"] for place in places if "building_id" in place]
        if not answers:
            self.ticks.append(observation["tick"])
            calls = [("next_tick", {"expected_tick": observation["tick"]})]
            calls += [("building_to_coords", {"building_id": place}) for place in places[:1]]
        elif len(answers) == 2:
            order = {"incident_id": places[0], "rationale": "It was reported.", "destination": json.loads(answers[1].content)["point"]}
            vehicle = observation["vehicles"][observation["tick"] % len(observation["vehicles"])]["vehicle_id"]
            calls = [("dispatch", {"expected_tick": observation["tick"], "vehicle_id": vehicle, **order})]
        else:
            calls = []
            assert all("accepted" in answer.content for answer in answers[2:]), answers
        self.refused += sum("not found" in answer.content for answer in answers[-1:] if len(answers) == 1)
        return Record(message=Record(role="assistant", tool_calls=[Record(function=f, arguments=a) for f, a in calls]))


inspect_ai.model = Impatient()
task = dispatch.dispatch(url=sys.argv[1], seeds=2)
scores = asyncio.run(inspect_ai.evaluate(task))
print(json.dumps({
    "tools": sorted(inspect_ai.model.tools), "ticks": inspect_ai.model.ticks, "losses": [score.value for score in scores],
    "outcomes": [json.loads(score.explanation) for score in scores],
}))
