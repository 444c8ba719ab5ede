"""fastmcp's client over Streamable HTTP."""

from contextlib import asynccontextmanager

import mcp_types as types
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from run_plan import Changes, cancelled_on_progress, first_text, run_plan, with_progress


async def sample(_messages, _params, _context):
    return "a model"


async def elicit(_message, _response_type, _params, _context):
    return {"name": "Ada"}


class Steps:
    def __init__(self, client, changes):
        self.client = client
        self.changes = changes

    async def listTools(self, _):
        return [tool.name for tool in await self.client.list_tools()]

    async def listPrompts(self, _):
        return [prompt.name for prompt in await self.client.list_prompts()]

    async def listResources(self, _):
        return [str(resource.uri) for resource in await self.client.list_resources()]

    async def listTemplates(self, _):
        return [template.uri_template for template in await self.client.list_resource_templates()]

    async def callTool(self, step):
        return first_text(await self.client.call_tool(step["name"], step.get("arguments") or {}))

    def _call(self, step):
        return lambda callback: self.client.call_tool(
            step["name"], step.get("arguments") or {}, progress_handler=callback
        )

    async def callWithProgress(self, step):
        return await with_progress(self._call(step))

    async def cancel(self, step):
        return await cancelled_on_progress(self._call(step))

    async def getPrompt(self, step):
        return (await self.client.get_prompt(step["name"])).messages[0].content.text

    async def readResource(self, step):
        return (await self.client.read_resource(step["uri"]))[0].text

    async def awaitChange(self, _):
        return await self.changes.await_one()


@asynccontextmanager
async def connected(plan):
    changes = Changes()

    async def on_message(message):
        if isinstance(message, types.ToolListChangedNotification):
            changes.add()

    async with Client(
        StreamableHttpTransport(plan["url"], headers=plan.get("headers")),
        roots=["file:///work"],
        sampling_handler=sample,
        elicitation_handler=elicit,
        message_handler=on_message,
        cache=False,
    ) as client:
        yield Steps(client, changes)


run_plan(connected)
