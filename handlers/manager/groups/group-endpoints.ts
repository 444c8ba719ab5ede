import type { Endpoints } from '../../../lib/openapi/endpoint.ts';
import { DeletedGroup, GroupClients, GroupNames, ReadGroup, SavedGroup } from './answers.ts';
import { CreateGroupBody, DescribeGroupBody, NewGroupName, RenameGroupBody } from './request-bodies.ts';
import { ifMatch, ofReading, ofWriting } from './shared-facts.ts';

/** The calls on groups, for the OpenAPI document and docs/api.md. */

const path = { name: 'research' };
const echo = 'everything__echo';

export const groupEndpoints = {
  'GET /api/groups': {
    summary: 'Lists the groups.',
    answers: { 200: GroupNames },
    failures: ['database_unavailable'],
    examples: [
      {
        name: 'groups',
        status: 200,
        answer: {
          success: true,
          groups: ['svc-global'],
          default: 'svc-global',
          gateway_url: 'http://127.0.0.1:3700',
        },
      },
    ],
  },
  'POST /api/groups/{name}': {
    summary: 'Creates a group.',
    description: 'Writes `GROUPS_DIR/<name>.json`. A name that is taken is 409 `conflict`.',
    path: { name: NewGroupName },
    body: CreateGroupBody,
    answers: { 201: SavedGroup },
    failures: [
      ...(['database_unavailable', 'tool_not_found', 'conflict', 'group_unreadable'] as const),
      ...(['group_read_only', 'storage_failed'] as const),
    ],
    examples: [
      {
        name: 'created',
        path,
        body: { description: 'Research', tools: [echo] },
        status: 201,
        answer: {
          success: true,
          message: 'Group `research` is created.',
          group: { name: 'research', description: 'Research', included_tools: [echo] },
          etag: '"9b1c6f2e"',
        },
      },
    ],
  },
  'GET /api/groups/{name}': {
    summary: 'Reads the file of a group.',
    answers: { 200: ReadGroup },
    failures: [...ofReading, 'group_unreadable'],
    examples: [
      {
        name: 'group',
        path,
        status: 200,
        answer: {
          success: true,
          group: { name: 'research', description: 'Research', included_tools: [echo] },
          etag: '"9b1c6f2e"',
        },
      },
    ],
  },
  'PUT /api/groups/{name}': {
    summary: 'Sets the description of a group.',
    headers: ifMatch,
    body: DescribeGroupBody,
    answers: { 200: SavedGroup },
    failures: ofWriting,
    examples: [
      {
        name: 'described',
        path,
        body: { description: 'What the research agent may do' },
        status: 200,
        answer: {
          success: true,
          message: 'Group `research` is described.',
          group: { name: 'research', description: 'What the research agent may do', included_tools: [echo] },
          etag: '"5d0a77c4"',
        },
      },
    ],
  },
  'GET /api/groups/{name}/clients': {
    summary: 'Says where agents connect to a group, and how each kind of agent is told.',
    answers: { 200: GroupClients },
    failures: ofReading,
    examples: [
      {
        name: 'clients',
        path,
        status: 200,
        answer: {
          success: true,
          group: 'research',
          endpoint: 'http://127.0.0.1:3700/v0/groups/research/mcp',
          needs_token: false,
        },
      },
    ],
  },
  'POST /api/groups/{name}/rename': {
    summary: 'Renames a group.',
    description:
      'The file gets the new name, approvals go along. Agents need the new address: the old one answers 404 and names it. The default group keeps its name (409).',
    headers: ifMatch,
    body: RenameGroupBody,
    answers: { 200: SavedGroup },
    failures: [...ofWriting, 'conflict'],
    examples: [
      {
        name: 'renamed',
        path,
        body: { name: 'library' },
        status: 200,
        answer: {
          success: true,
          message: 'Group `research` is called `library` now; agents need its new address.',
          group: { name: 'library' },
        },
      },
    ],
  },
  'DELETE /api/groups/{name}': {
    summary: 'Deletes a group.',
    description:
      'Its endpoint and its sessions answer 404 from then on. The default group cannot be deleted (409).',
    answers: { 200: DeletedGroup },
    failures: [...ofReading, 'conflict', 'group_read_only', 'storage_failed'],
    examples: [
      {
        name: 'deleted',
        path: { name: 'library' },
        status: 200,
        answer: { success: true, message: 'Group `library` is deleted.', group: 'library' },
      },
    ],
  },
} satisfies Endpoints;
