import { optional, string } from 'superstruct';
import { about } from '../../../lib/json/json-schema.ts';
import type { Endpoints } from '../../../lib/openapi/endpoint.ts';
import { SavedTools, SwitchedTool } from '../groups/answers.ts';
import { ApproveBody, ExposeBody, ToolListBody } from '../groups/request-bodies.ts';
import { ifMatch, ofReading, ofSwitching } from '../groups/shared-facts.ts';
import { SetToolBody, ToggleBody } from '../groups/switch-tool.ts';
import { AllTools, ApprovedTool, CurrentGroup, RenamedTool, ToolChange, TriedTool } from './answers.ts';
import { TryBody } from './try-request.ts';

/** The calls on tools, for the OpenAPI document and docs/api.md. */

const query = { group: optional(about(string(), 'Name of a group; absent: the default group.')) };
const group = 'svc-global';
const echo = 'everything__echo';
const hash = '2f0c4e1d9a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d';
const before = [echo, 'everything__get-sum', 'filesystem__list_directory', 'filesystem__read_text_file'];
const without = before.filter((tool) => tool !== 'everything__get-sum');
const again = [...without, 'everything__get-sum'];

export const toolEndpoints = {
  'GET /api/tools': {
    summary: 'Lists all tools by server, with their state in a group.',
    description:
      'A server without tools has an empty list. Missing tools are listed under their server, which may be missing itself.',
    query,
    answers: { 200: AllTools },
    failures: ofReading,
    examples: [{ name: 'tools', status: 200, answer: { success: true, group } }],
  },
  'GET /api/current': {
    summary: 'Reads which tools a group has.',
    query,
    answers: { 200: CurrentGroup },
    failures: ofReading,
    examples: [
      {
        name: 'default group',
        status: 200,
        answer: {
          success: true,
          group,
          tools: before,
          description: 'The group that is used when none is named',
          etag: '"1f0e9d8c"',
        },
      },
    ],
  },
  'POST /api/tools/toggle': {
    summary: 'Switches one tool over, or to `enabled`.',
    description:
      'A tool that is switched on comes last. Switching it on approves its definition: that of `definition_hash`, or the current one. Any name can be switched off, also one that no server offers any more.',
    headers: ifMatch,
    body: ToggleBody,
    answers: { 200: SwitchedTool },
    failures: ofSwitching,
    examples: [
      {
        name: 'over',
        body: { tool: 'everything__get-sum' },
        status: 200,
        answer: {
          success: true,
          message: 'The tool is not in group `svc-global` any more.',
          group,
          tools: without,
          enabled: false,
        },
      },
      {
        name: 'to a state',
        body: { tool: 'everything__get-sum', enabled: true },
        status: 200,
        answer: {
          success: true,
          message: 'The tool is now in group `svc-global`.',
          group,
          tools: again,
          enabled: true,
        },
      },
      {
        name: 'unknown tool',
        body: { tool: 'everything__ecko' },
        status: 404,
        answer: { success: false, code: 'tool_not_found', details: { did_you_mean: [echo] } },
      },
    ],
  },
  'POST /api/tools/enable': {
    summary: 'Switches one tool on.',
    headers: ifMatch,
    body: SetToolBody,
    answers: { 200: SwitchedTool },
    failures: ofSwitching,
    examples: [
      {
        name: 'on',
        body: { tool: echo },
        status: 200,
        answer: { success: true, tools: again, enabled: true },
      },
    ],
  },
  'POST /api/tools/disable': {
    summary: 'Switches one tool off.',
    headers: ifMatch,
    body: SetToolBody,
    answers: { 200: SwitchedTool },
    failures: ofSwitching,
    examples: [
      {
        name: 'off',
        body: { tool: 'everything__get-sum', group },
        status: 200,
        answer: { success: true, tools: without, enabled: false },
      },
    ],
  },
  'GET /api/tools/{tool}/change': {
    summary: 'Compares the approved definition of a tool with the current one.',
    query,
    answers: { 200: ToolChange },
    failures: [...ofReading, 'tool_not_found', 'group_unreadable'],
    examples: [
      {
        name: 'change',
        path: { tool: echo },
        status: 200,
        answer: { success: true, group, tool: echo, current: { definition_hash: hash } },
      },
    ],
  },
  'POST /api/tools/{tool}/approve': {
    summary: 'Approves the definition that the caller saw, while it is the current one.',
    description: 'Agents get a new definition before it is approved; docs/decisions/0013 says why.',
    body: ApproveBody,
    answers: { 200: ApprovedTool },
    failures: [...ofReading, 'tool_not_found', 'group_unreadable', 'conflict'],
    examples: [
      {
        name: 'approved',
        path: { tool: echo },
        body: { definition_hash: hash },
        status: 200,
        answer: {
          success: true,
          message: 'The definition is approved for group `svc-global`.',
          group,
          tool: echo,
          definition_hash: hash,
        },
      },
    ],
  },
  'POST /api/tools/{tool}/expose': {
    summary: 'Gives a tool another name for the agents of a group.',
    description:
      'A name has 1 to 64 letters, digits, `_` or `-`. The full name is then unknown to agents of the group; the manager API always uses full names.',
    headers: ifMatch,
    body: ExposeBody,
    isBodyOptional: true,
    answers: { 200: RenamedTool },
    failures: ofSwitching,
    examples: [
      {
        name: 'own name',
        path: { tool: echo },
        body: { name: 'say' },
        status: 200,
        answer: {
          success: true,
          message: 'Agents of group `svc-global` see the tool as `say`.',
          group,
          enabled: true,
          tool: echo,
          exposed_name: 'say',
        },
      },
      {
        name: 'full name',
        path: { tool: echo },
        body: { name: null },
        status: 200,
        answer: {
          success: true,
          message: 'Agents of group `svc-global` see the tool by its full name.',
          tool: echo,
        },
      },
    ],
  },
  'POST /api/tools/{tool}/try': {
    summary: 'Calls a tool, whether a group has it or not.',
    description:
      'No agent is involved. It needs administration rights, unless only this machine reaches the port. A caller that closes the connection cancels the call.',
    body: TryBody,
    answers: { 200: TriedTool },
    failures: [
      ...ofReading,
      ...(['tool_not_found', 'try_needs_admin', 'too_many_requests', 'gateway_loop'] as const),
      ...(['upstream_unavailable', 'upstream_timeout', 'upstream_error'] as const),
    ],
    examples: [
      {
        name: 'tried',
        path: { tool: 'everything__get-sum' },
        body: { arguments: { a: 2, b: 3 } },
        status: 200,
        answer: {
          success: true,
          message: '`everything__get-sum` was tried; no agent was involved.',
          tool: 'everything__get-sum',
          server: 'everything',
          group,
          enabled: false,
          state: 'present',
          tried: true,
          milliseconds: 4,
          result: { content: [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }] },
        },
      },
    ],
  },
  'POST /api/update': {
    summary: 'Replaces the tools of the default group.',
    headers: ifMatch,
    body: ToolListBody,
    answers: { 200: SavedTools },
    failures: ofSwitching,
    examples: [
      {
        name: 'saved',
        body: { tools: before },
        status: 200,
        answer: { success: true, message: 'Group `svc-global` is saved.', group, tools: before },
      },
    ],
  },
} satisfies Endpoints;
