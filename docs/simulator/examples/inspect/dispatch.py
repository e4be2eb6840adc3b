"""Evaluates a model as a controller of dispatch: see README.md."""
import asyncio
import json
import sys
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, execute_tools, get_model
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import solver
from inspect_ai.tool import ToolDef, ToolParams
from inspect_ai.util import concurrency

sys.path.append(str(Path(__file__).parent.parent / "python"))
from agent import RUNNERS, Session  # noqa: E402

PROMPT = (
    "You dispatch fire engines. Each message is what is known at one tick. Send engines with dispatch, which takes points: "
    "building_to_coords gives that of a building. When there is nothing more to do in this tick, answer without a tool."
)


def offered(session, tool):
    """A tool of the game, as one that a model can be given."""

    async def execute(**arguments):
        return json.dumps(await asyncio.to_thread(session.call, tool["name"], arguments))

    parameters = ToolParams.model_validate(tool["inputSchema"])
    for name, parameter in parameters.properties.items():
        parameter.description = parameter.description or name
    return ToolDef(execute, name=tool["name"], description=tool["description"], parameters=parameters, parallel=False)


async def think(state, observation, tools, turns):
    """One tick of a model: it calls tools until it has no more to do, or has had its turns."""
    messages = [ChatMessageSystem(content=PROMPT), ChatMessageUser(content=json.dumps(observation))]
    for _ in range(turns):
        state.output = await get_model().generate(messages, tools)
        messages.append(state.output.message)
        if not state.output.message.tool_calls:
            break
        answers, _ = await execute_tools(messages, tools)
        messages.extend(answers)
    state.messages.extend(messages)


@solver
def runner(url, turns):
    """The outer runner: it alone begins, and lets time pass once the model is done with a tick."""

    async def solve(state, generate):
        async with concurrency("dispatch", 1):  # a simulator has one controller
            session = await asyncio.to_thread(Session, url)
            try:
                listed = await asyncio.to_thread(session.ask, "tools/list", {})
                tools = [offered(session, tool) for tool in listed["tools"] if tool["name"] not in RUNNERS]
                now = await asyncio.to_thread(session.call, "start_episode", dict(state.metadata))
                while now.get("lifecycle") == "running":
                    await think(state, now["observation"], tools, turns)
                    now = await asyncio.to_thread(session.call, "next_tick", {"expected_tick": now["tick"]})
            finally:
                await asyncio.to_thread(session.send, "DELETE")
        if "outcome" not in now:
            raise RuntimeError(now["error"]["message"])
        state.store.set("outcome", now["outcome"])
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def loss():
    """100 for each casualty and 10 for each building lost: less is better."""

    async def score(state, target):
        outcome = state.store.get("outcome")
        return Score(value=100 * outcome["casualties"] + 10 * outcome["buildings_lost"], explanation=json.dumps(outcome))

    return score


@task
def dispatch(url="http://127.0.0.1:8083/mcp", scenario="stage1-basic@londone", seed_base=51001, seeds=20, turns=8):
    """One sample for each seed of a block."""
    return Task(
        dataset=[
            Sample(id=f"{scenario} {seed}", input="Play.", metadata={"scenario_id": scenario, "seed": seed})
            for seed in range(seed_base, seed_base + seeds)
        ],
        solver=runner(url, turns),
        scorer=loss(),
    )
