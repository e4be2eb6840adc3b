"""Plays dispatch over MCP: python3 agent.py http://127.0.0.1:8083/mcp stage1-basic@londone"""
import json
import sys
import urllib.request

from model import FirstCome

RUNNERS = {"next_tick", "start_episode"}  # time is the runner's; a model never sees these


class Session:
    """A session of MCP over Streamable HTTP, which is one controller."""

    def __init__(self, url):
        self.url = url
        self.headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "agent.py", "version": "1"}}
        self.headers["MCP-Protocol-Version"] = self.ask("initialize", hello)["protocolVersion"]
        self.send("POST", {"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, method, message=None):
        body = json.dumps(message).encode() if message else None
        with urllib.request.urlopen(urllib.request.Request(self.url, body, self.headers, method=method)) as reply:
            text = reply.read().decode()
            self.headers["Mcp-Session-Id"] = reply.headers["Mcp-Session-Id"] or self.headers.get("Mcp-Session-Id", "")
        if reply.headers.get_content_type() == "text/event-stream":
            text = [line for line in text.splitlines() if line.startswith("data:")][-1][len("data:"):]
        return json.loads(text) if text else None

    def ask(self, method, params):
        reply = self.send("POST", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        if "error" in reply:
            raise RuntimeError(reply["error"]["message"])
        return reply["result"]

    def call(self, name, arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})["structuredContent"]


def play(session, model, scenario):
    """The outer runner: it alone begins, and lets time pass once the model is done with a tick."""
    tools = [tool for tool in session.ask("tools/list", {})["tools"] if tool["name"] not in RUNNERS]
    offered = {tool["name"] for tool in tools}

    def use(name, arguments):
        if name not in offered:
            return {"error": {"code": "UNKNOWN_TOOL", "message": f"there is no tool {name}"}}
        return session.call(name, arguments)

    state = session.call("start_episode", {"scenario_id": scenario})
    while state.get("lifecycle") == "running":
        model(state["observation"], tools, use)
        state = session.call("next_tick", {"expected_tick": state["tick"]})
    return state  # of the end, or an error


if __name__ == "__main__":
    game = Session(sys.argv[1])
    print(json.dumps(play(game, FirstCome(), sys.argv[2])))
    game.send("DELETE")
