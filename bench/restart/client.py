"""An agent built on the official Python SDK, 1.30 or 2.3: one long call, then it listens. One JSON line per thing that
happens. `python client.py [--poll] URL`; `--poll`: it lists tools all the time."""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client import streamable_http

connect = getattr(streamable_http, "streamablehttp_client", None) or streamable_http.streamable_http_client


def tell(**line):
    print(json.dumps(line), flush=True)


async def on_message(message):
    root = getattr(message, "root", message)
    tell(heard=getattr(root, "method", str(message)))


async def main(url):
    async with connect(url) as streams:
        async with ClientSession(streams[0], streams[1], message_handler=on_message) as session:
            await session.initialize()
            await session.list_tools()
            tell(calling=True)
            try:
                result = await session.call_tool("fault__slow", {"ms": 25_000})
                tell(answer=json.loads(result.model_dump_json(exclude_none=True)))
            except Exception as error:
                tell(error=str(error))
            while True:
                await asyncio.sleep(2)
                if "--poll" not in sys.argv:
                    continue
                try:
                    tell(tools=len((await session.list_tools()).tools))
                except Exception as error:
                    tell(tools=str(error))


asyncio.run(main(sys.argv[-1]))
