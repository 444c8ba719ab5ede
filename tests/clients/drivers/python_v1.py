"""mcp 1.30 over Streamable HTTP."""

from contextlib import asynccontextmanager

import mcp.types as types
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
from run_plan import Changes, all_pages, cancelled_on_progress, first_text, run_plan, with_progress


async def sample(_context, _params):
    content = types.TextContent(type="text", text="a model")
    return types.CreateMessageResult(role="assistant", model="test", content=content)


async def elicit(_context, _params):
    return types.ElicitResult(action="accept", content={"name": "Ada"})


async def list_roots(_context):
    return types.ListRootsResult(roots=[types.Root(uri="file:///work", name="Work")])


class Steps:
    def __init__(self, session, changes):
        self.session = session
        self.changes = changes

    async def listTools(self, _):
        return [tool.name for tool in await all_pages("tools", self.session.list_tools)]

    async def listPrompts(self, _):
        return [prompt.name for prompt in await all_pages("prompts", self.session.list_prompts)]

    async def listResources(self, _):
        return [str(resource.uri) for resource in await all_pages("resources", self.session.list_resources)]

    async def listTemplates(self, _):
        templates = await all_pages("resourceTemplates", self.session.list_resource_templates)
        return [template.uriTemplate for template in templates]

    async def callTool(self, step):
        return first_text(await self.session.call_tool(step["name"], step.get("arguments")))

    def _call(self, step):
        return lambda callback: self.session.call_tool(
            step["name"], step.get("arguments"), progress_callback=callback
        )

    async def callWithProgress(self, step):
        return await with_progress(self._call(step))

    async def cancel(self, step):
        return await cancelled_on_progress(self._call(step))

    async def getPrompt(self, step):
        return (await self.session.get_prompt(step["name"])).messages[0].content.text

    async def readResource(self, step):
        return (await self.session.read_resource(step["uri"])).contents[0].text

    async def awaitChange(self, _):
        return await self.changes.await_one()


@asynccontextmanager
async def connected(plan):
    changes = Changes()

    async def on_message(message):
        root = getattr(message, "root", None)
        if isinstance(root, types.ToolListChangedNotification):
            changes.add()

    async with streamablehttp_client(plan["url"], headers=plan.get("headers")) as (read, write, _):
        async with ClientSession(
            read,
            write,
            sampling_callback=sample,
            elicitation_callback=elicit,
            list_roots_callback=list_roots,
            message_handler=on_message,
        ) as session:
            await session.initialize()
            yield Steps(session, changes)


run_plan(connected)
