"""What must not be sent, and what schemathesis cannot know; schemathesis.toml has the rest."""

import os

import schemathesis

# Nothing could put them back, and the run needs them: whoever deletes one of them deletes something that is not there.
KEPT_SERVERS = {"everything", "filesystem"}
KEPT_SESSION = os.environ.get("FUZZ_SESSION")

# Servers and groups, as `(collection, name)`, that are not there by what was done last: schemathesis takes a dry run for a
# creation, and does not know of a renaming, nor of what its other worker deletes.
ABSENT = set()


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.method == "GET" and case.path.endswith("/mcp"):
        # Not among the `headers` of schemathesis.toml: a worker sends those of its first operation with all others, too
        # (4.32.5, `EngineContext.get_session`).
        case.headers["Accept"] = "text/event-stream"
    if case.path == "/api/servers/{name}/logs" and case.query and case.query.get("follow") in ("1", "true"):
        # Such an answer has no end; run.ts reads it.
        case.query["follow"] = "0"
    if case.method == "DELETE":
        spare(case)


def spare(case):
    if case.path == "/api/servers/{name}" and case.path_parameters.get("name") in KEPT_SERVERS:
        case.path_parameters["name"] = "kept"
    if case.headers and case.headers.get("Mcp-Session-Id") == KEPT_SESSION:
        case.headers["Mcp-Session-Id"] = "kept"


@schemathesis.hook
def after_call(context, case, response):
    if not 200 <= response.status_code < 300:
        return
    name = (case.path_parameters or {}).get("name")
    match case.method, case.path:
        case "POST", "/api/servers":
            is_there = case.body.get("dry_run") is not True
            note("servers", case.body["name"], is_there)
        case "DELETE", "/api/servers/{name}":
            note("servers", name, False)
        case "POST", "/api/groups/{name}":
            note("groups", name, True)
        case "DELETE", "/api/groups/{name}":
            note("groups", name, False)
        case "POST", "/api/groups/{name}/rename":
            note("groups", name, False)
            note("groups", case.body["name"], True)


def note(collection, name, is_there):
    (ABSENT.discard if is_there else ABSENT.add)((collection, name))


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if type(failure).__name__ != "EnsureResourceAvailability" or response.status_code != 404:
        return True
    code = response.json().get("code")
    name = (case.path_parameters or {}).get("name")
    # A group that was just created is there; the tool of the body is what is not.
    is_about_tool = code == "tool_not_found"
    is_absent = (code == "server_not_found" and ("servers", name) in ABSENT) or (
        code == "group_not_found" and ("groups", name) in ABSENT
    )
    return not (is_about_tool or is_absent)
