import type { Endpoints } from '../../../lib/openapi/endpoint.ts';
import { GroupToolNames, SavedTools, SwitchedTool } from './answers.ts';
import { ToolListBody } from './request-bodies.ts';
import { ifMatch, ofReading, ofSwitching } from './shared-facts.ts';
import { SetGroupToolBody, ToggleGroupToolBody } from './switch-tool.ts';

/** The calls on the tools of one group, for the OpenAPI document and docs/api.md. */

const path = { name: 'research' };
const echo = 'everything__echo';

const replaced = {
  body: ToolListBody,
  headers: ifMatch,
  answers: { 200: SavedTools },
  failures: ofSwitching,
  description:
    'Unknown tools that the group does not have yet are 404; names that it has may stay, and a name that is there twice counts once. The file keeps its other fields.',
};

export const groupToolsEndpoints = {
  'GET /api/groups/{name}/tools': {
    summary: 'Lists the tools of a group.',
    answers: { 200: GroupToolNames },
    failures: [...ofReading, 'group_unreadable'],
    examples: [
      {
        name: 'tools',
        path,
        status: 200,
        answer: { success: true, group: 'research', tools: [echo], etag: '"5d0a77c4"' },
      },
    ],
  },
  'PUT /api/groups/{name}/tools': {
    summary: 'Replaces the tools of a group.',
    ...replaced,
    examples: [
      {
        name: 'replaced',
        path,
        headers: { 'If-Match': '"5d0a77c4"' },
        body: { tools: [echo, 'everything__get-sum'] },
        status: 200,
        answer: {
          success: true,
          message: 'Group `research` is saved.',
          group: 'research',
          tools: [echo, 'everything__get-sum'],
          etag: '"77e2b0a1"',
        },
      },
      {
        name: 'changed meanwhile',
        path,
        headers: { 'If-Match': '"0000"' },
        body: { tools: [] },
        status: 409,
        answer: {
          success: false,
          code: 'group_changed',
          details: { tools: [echo, 'everything__get-sum'], etag: '"77e2b0a1"' },
        },
      },
    ],
  },
  'POST /api/groups/{name}/tools': {
    summary: 'The same as `PUT`.',
    ...replaced,
    examples: [
      {
        name: 'replaced',
        path,
        body: { tools: [echo, 'everything__get-sum'] },
        status: 200,
        answer: { success: true, group: 'research', tools: [echo, 'everything__get-sum'] },
      },
    ],
  },
  'POST /api/groups/{name}/tools/toggle': {
    summary: 'Switches one tool of a group over, or to `enabled`.',
    headers: ifMatch,
    body: ToggleGroupToolBody,
    answers: { 200: SwitchedTool },
    failures: ofSwitching,
    examples: [
      {
        name: 'on',
        path,
        body: { tool: 'filesystem__list_directory', enabled: true },
        status: 200,
        answer: {
          success: true,
          message: 'The tool is now in group `research`.',
          group: 'research',
          tools: [echo, 'everything__get-sum', 'filesystem__list_directory'],
          enabled: true,
        },
      },
    ],
  },
  'POST /api/groups/{name}/tools/enable': {
    summary: 'Switches one tool of a group on.',
    headers: ifMatch,
    body: SetGroupToolBody,
    answers: { 200: SwitchedTool },
    failures: ofSwitching,
    examples: [
      {
        name: 'on',
        path,
        body: { tool: echo },
        status: 200,
        answer: { success: true, group: 'research', enabled: true },
      },
    ],
  },
  'POST /api/groups/{name}/tools/disable': {
    summary: 'Switches one tool of a group off.',
    headers: ifMatch,
    body: SetGroupToolBody,
    answers: { 200: SwitchedTool },
    failures: ofSwitching,
    examples: [
      {
        name: 'off',
        path,
        body: { tool: 'filesystem__list_directory' },
        status: 200,
        answer: { success: true, group: 'research', tools: [echo, 'everything__get-sum'], enabled: false },
      },
    ],
  },
} satisfies Endpoints;
