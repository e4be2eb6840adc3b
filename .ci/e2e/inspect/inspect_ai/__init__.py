"""Stands in for Inspect, with the names that the example uses and what they do there: no more than one sample and one model, which
is set by a test. It is for machines that do not have the package."""
import contextlib
import json
import sys
import types
from types import SimpleNamespace as Record


def module(name, **members):
    """Makes inspect_ai.NAME."""
    made = types.ModuleType(f"{__name__}.{name}")
    vars(made).update(members)
    sys.modules[made.__name__] = made


def task(function):
    return function


class Task(Record):
    pass


class Parameters(Record):
    @classmethod
    def model_validate(cls, schema):
        properties = {name: Record(description=p.get("description")) for name, p in schema.get("properties", {}).items()}
        return cls(properties=properties)


class ToolDef:
    def __init__(self, tool, name, description, parameters, parallel):
        assert name and description and not parallel and all(p.description for p in parameters.properties.values())
        self.tool, self.name = tool, name


async def execute_tools(messages, tools):
    known = {tool.name: tool for tool in tools}
    answers = []
    for call in messages[-1].tool_calls:
        if call.function in known:
            text = await known[call.function].tool(**call.arguments)
        else:
            text = json.dumps({"error": {"code": "not found"}})
        answers.append(Record(role="tool", content=text))
    return answers, None


class Store(dict):
    set = dict.__setitem__


@contextlib.asynccontextmanager
async def concurrency(name, most):
    yield


model = None  # what get_model gives


async def evaluate(made):
    """Plays the samples of a task; returns the scores."""
    scores = []
    for sample in made.dataset:
        state = Record(metadata=sample.metadata, messages=[], output=None, store=Store())
        scores.append(await made.scorer(await made.solver(state, None), None))
    return scores


module("dataset", Sample=type("Sample", (Record,), {}))
module("model", ChatMessageSystem=type("System", (Record,), {}), ChatMessageUser=type("User", (Record,), {}),
       execute_tools=execute_tools, get_model=lambda: model)
module("scorer", Score=type("Score", (Record,), {}), mean=lambda: "mean", stderr=lambda: "stderr", scorer=lambda metrics: lambda f: f)
module("solver", solver=lambda f: f)
module("tool", ToolDef=ToolDef, ToolParams=Parameters)
module("util", concurrency=concurrency)
