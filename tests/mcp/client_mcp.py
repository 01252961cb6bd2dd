"""The story with the `mcp` package: client_mcp.py MODE stdio PROGRAM SESSION | http URL TOKEN_FILE"""

import asyncio
import os
import sys
from pathlib import Path

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

import story

VERSIONS = {"legacy": "2025-11-25", "2026-07-28": "2026-07-28"}


class Wrapped:
    """The library behind the story's two calls."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def list_tools(self) -> list[dict]:
        listed = await self.client.list_tools()
        return [tool.model_dump(by_alias=True, mode="json") for tool in listed.tools]

    async def call(self, name: str, arguments: dict) -> story.Answer:
        try:
            result = await self.client.call_tool(name, arguments)
        except MCPError as error:
            return story.Answer(True, {}, str(error))
        text = "\n".join(getattr(part, "text", "") for part in result.content)
        return story.Answer(bool(result.is_error), result.structured_content or {}, text)


async def run(mode: str, server) -> str | None:
    async with Client(server, mode=mode, read_timeout_seconds=30) as client:
        spoken = client.protocol_version
        assert spoken == VERSIONS[mode], f"{VERSIONS[mode]} asked for, {spoken} spoken"
        return await story.verdict(Wrapped(client))


async def main(mode: str, transport: str, where: str, what: str) -> str | None:
    if transport == "stdio":
        args = ["mcp", what, "--no-window"]
        return await run(mode, StdioServerParameters(command=where, args=args, env=dict(os.environ)))
    token = Path(what).read_text().strip()
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http:
        return await run(mode, streamable_http_client(where, http_client=http))


sys.exit(asyncio.run(main(*sys.argv[1:])))
