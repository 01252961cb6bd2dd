"""The story with the `fastmcp` package: client_fastmcp.py MODE stdio PROGRAM SESSION | http URL TOKEN_FILE"""

import asyncio
import os
import sys
from pathlib import Path

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import MCPError

import story

VERSIONS = {"legacy": "2025-11-25", "2026-07-28": "2026-07-28"}


class Wrapped:
    """The library behind the story's two calls."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def list_tools(self) -> list[dict]:
        listed = await self.client.list_tools()
        return [tool.model_dump(by_alias=True, mode="json") for tool in listed]

    async def call(self, name: str, arguments: dict) -> story.Answer:
        try:
            result = await self.client.call_tool(name, arguments, raise_on_error=False)
        except (MCPError, ToolError) as error:
            return story.Answer(True, {}, str(error))
        text = "\n".join(getattr(part, "text", "") for part in result.content)
        return story.Answer(bool(result.is_error), result.structured_content or {}, text)


async def main(mode: str, transport: str, where: str, what: str) -> str | None:
    if transport == "stdio":
        args, env = ["mcp", what, "--no-window"], dict(os.environ)
        server = StdioTransport(where, args, env=env, keep_alive=False)
    else:
        server = StreamableHttpTransport(where, auth=Path(what).read_text().strip())
    async with Client(server, mode=mode, timeout=30) as client:
        spoken = client.protocol_version
        assert spoken == VERSIONS[mode], f"{VERSIONS[mode]} asked for, {spoken} spoken"
        return await story.verdict(Wrapped(client))


sys.exit(asyncio.run(main(*sys.argv[1:])))
