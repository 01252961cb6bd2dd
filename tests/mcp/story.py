"""What any MCP client does with Deskhand: look, plan, wait. And what it must not manage: approve.

A client library is wrapped in an object with `list_tools()` (dicts as on the wire) and
`call(name, arguments)` (an `Answer`).
"""

from dataclasses import dataclass
from typing import Any

HINTS = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
# The default set: at most 30 tools, then these two.
MOST_TOOLS = 30
FINDERS = {"search_tools", "call_tool"}
GAIN = {"targets": "Voice", "gain_db": -6.0}
# Names under which a careless server would let a model decide.
DECISIONS = ("apply", "apply_plan", "approve", "approve_plan", "cmd_apply", "decide", "confirm")


@dataclass
class Answer:
    """What came back: `refused` for an error of the tool or of the protocol."""

    refused: bool
    fields: dict[str, Any]
    text: str


async def verdict(client) -> str | None:
    """Plays the story; what is wrong, or nothing."""
    try:
        await play(client)
    except AssertionError as error:
        return f"{type(error).__name__}: {error}"


async def play(client) -> None:
    """The whole story on one connection."""
    tools = await client.list_tools()
    check_tools(tools, await client.list_tools())
    before = await voice(client)
    plan = await waiting_plan(client)
    await still_waiting(client, plan)
    await try_to_approve(client, plan, {tool["name"] for tool in tools})
    await still_waiting(client, plan)
    after = await voice(client)
    assert before == after, f"the track changed without a person: {before} -> {after}"


def check_tools(tools: list[dict], again: list[dict]) -> None:
    """Every tool is described in full, the set is small, its order is fixed, and nothing decides."""
    names = [tool["name"] for tool in tools]
    assert names == [tool["name"] for tool in again], "tools/list gives two orders"
    missing = FINDERS - set(names)
    assert not missing, f"not listed: {missing}"
    assert len(names) <= MOST_TOOLS + len(FINDERS), f"{len(names)} tools by default"
    deciding = [name for name in names if name in DECISIONS]
    assert not deciding, f"tools that decide: {deciding}"
    for tool in tools:
        for field in ("title", "description", "inputSchema", "outputSchema", "annotations"):
            assert tool.get(field), f"{tool['name']} has no {field}"
        hints = {key for key, value in tool["annotations"].items() if value is not None}
        assert HINTS <= hints, f"{tool['name']} lacks {HINTS - hints}"


async def voice(client) -> dict:
    """The track that the gain is for, as `get_session` shows it."""
    answer = await must(client, "get_session", {})
    rows = answer.fields["answer"]["tracks"]["items"]
    tracks = [row for row in rows if row["name"] == "Voice"]
    assert len(tracks) == 1, f"one track named Voice expected: {rows}"
    return tracks[0]


async def waiting_plan(client) -> str:
    """Plans a gain change; the plan waits for a person."""
    answer = await must(client, "cmd_set_track_gain", GAIN)
    assert answer.fields.get("status") == "waiting", f"the plan does not wait: {answer.text}"
    plan = answer.fields.get("plan_id")
    assert isinstance(plan, str) and plan, f"no plan_id: {sorted(answer.fields)}"
    return plan


async def still_waiting(client, plan: str) -> None:
    """Nobody decided."""
    answer = await must(client, "wait_for_decision", {"plan_id": plan, "wait_s": 1})
    assert answer.fields.get("status") == "waiting", f"decided by nobody: {answer.text}"


async def try_to_approve(client, plan: str, listed: set[str]) -> None:
    """Every way a model may think of; each has to be refused."""
    for name in DECISIONS:
        arguments = {"plan_id": plan, "plan": plan, "decision": "apply"}
        await must_refuse(client, name, arguments)
        await must_refuse(client, "call_tool", {"name": name, "arguments": arguments})
    claims = {"plan_id": plan, "wait_s": 1, "decision": "apply", "authority": "person"}
    answer = await client.call("wait_for_decision", claims)
    assert answer.refused or answer.fields.get("status") == "waiting", answer.text
    claims = GAIN | {"apply": True, "yes": True, "authority": "person", "author": "user"}
    answer = await client.call("cmd_set_track_gain", claims)
    assert answer.refused or answer.fields.get("status") == "waiting", answer.text


async def must(client, name: str, arguments: dict) -> Answer:
    answer = await client.call(name, arguments)
    assert not answer.refused, f"{name} {arguments} was refused: {answer.text}"
    return answer


async def must_refuse(client, name: str, arguments: dict) -> None:
    answer = await client.call(name, arguments)
    assert answer.refused, f"{name} {arguments} was not refused: {answer.text}"
