"""Runs a plan with a client of a Python SDK; what plan and answer look like is said in run-plan.mjs."""

import json
import sys
import traceback

import anyio

STEP_LIMIT_S = 60


class Changes:
    """Counts changes that were told."""

    def __init__(self):
        self._untaken = 0
        self._event = anyio.Event()

    def add(self):
        self._untaken += 1
        self._event.set()

    async def await_one(self):
        while self._untaken == 0:
            await self._event.wait()
            self._event = anyio.Event()
        self._untaken = 0
        return "changed"


def first_text(result):
    return getattr(result.content[0], "text", None) if result.content else None


async def all_pages(member, list_page):
    found, cursor = [], None
    while True:
        page = await list_page(cursor)
        found += getattr(page, member)
        cursor = getattr(page, "nextCursor", None) or getattr(page, "next_cursor", None)
        if cursor is None:
            return found


async def cancelled_on_progress(call):
    """Gives a call up as soon as it reports progress. `call` takes the progress callback."""
    with anyio.CancelScope() as scope:

        async def on_progress(*_):
            scope.cancel()

        return first_text(await call(on_progress))
    return "given up"


async def with_progress(call):
    progress = []

    async def on_progress(value, *_):
        progress.append(value)

    return {"text": first_text(await call(on_progress)), "progress": progress}


async def run_steps(steps, client):
    results = []
    for step in steps:
        work = getattr(client, step["do"], None)
        if work is None:
            results.append({"error": f"unsupported: {step['do']}"})
            continue
        try:
            with anyio.fail_after(STEP_LIMIT_S):
                results.append({"ok": await work(step)})
        except Exception as error:
            results.append({"error": f"{type(error).__name__}: {error}"})
    return results


def run_plan(connected):
    """`connected` takes the plan and is an async context manager that gives an object with a method per `do`."""
    plan = json.loads(sys.argv[1])
    results = []

    async def run():
        async with connected(plan) as client:
            results.extend(await run_steps(plan["steps"], client))

    try:
        anyio.run(run)
    except BaseException as error:
        traceback.print_exc()
        missing = len(plan["steps"]) - len(results)
        results.extend([{"error": f"{type(error).__name__}: {error}"}] * missing)
    print(json.dumps({"results": results}), flush=True)
