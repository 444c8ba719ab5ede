"""mcp 2.3 over Streamable HTTP, in its own mode, which looks for the newest revision first."""

from contextlib import asynccontextmanager

import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from run_plan import Changes, all_pages, cancelled_on_progress, first_text, run_plan, with_progress


async def sample(_context, _params):
    content = types.TextContent(type="text", text="a model")
    return types.CreateMessageResult(role="assistant", model="test", content=content)


async def elicit(_context, _params):
    return types.ElicitResult(action="accept", content={"name": "Ada"})


async def list_roots(_context):
    return types.ListRootsResult(roots=[types.Root(uri="file:///work", name="Work")])


class Steps:
    def __init__(self, client, changes):
        self.client = client
        self.changes = changes

    async def _pages(self, member, list_page):
        return await all_pages(member, lambda cursor: list_page(cursor=cursor, cache_mode="bypass"))

    async def listTools(self, _):
        return [tool.name for tool in await self._pages("tools", self.client.list_tools)]

    async def listPrompts(self, _):
        return [prompt.name for prompt in await self._pages("prompts", self.client.list_prompts)]

    async def listResources(self, _):
        return [str(resource.uri) for resource in await self._pages("resources", self.client.list_resources)]

    async def listTemplates(self, _):
        templates = await self._pages("resource_templates", self.client.list_resource_templates)
        return [template.uri_template for template in templates]

    async def callTool(self, step):
        return first_text(await self.client.call_tool(step["name"], step.get("arguments")))

    def _call(self, step):
        return lambda callback: self.client.call_tool(
            step["name"], step.get("arguments"), progress_callback=callback
        )

    async def callWithProgress(self, step):
        return await with_progress(self._call(step))

    async def cancel(self, step):
        return await cancelled_on_progress(self._call(step))

    async def getPrompt(self, step):
        return (await self.client.get_prompt(step["name"])).messages[0].content.text

    async def readResource(self, step):
        return (await self.client.read_resource(step["uri"])).contents[0].text

    async def awaitChange(self, _):
        return await self.changes.await_one()


@asynccontextmanager
async def connected(plan):
    changes = Changes()

    async def on_message(message):
        if isinstance(message, types.ToolListChangedNotification):
            changes.add()

    async with create_mcp_http_client(headers=plan.get("headers")) as http:
        async with Client(
            streamable_http_client(plan["url"], http_client=http),
            sampling_callback=sample,
            elicitation_callback=elicit,
            list_roots_callback=list_roots,
            message_handler=on_message,
        ) as client:
            yield Steps(client, changes)


run_plan(connected)
