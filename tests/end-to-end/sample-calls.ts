/**
 * One sensible call of every tool of the official servers. Tools that change something come in an order in which
 * a whole pass ends where it began, so that passes can follow each other.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SampleCall {
  /** Name at the server. */
  readonly tool: string;
  readonly args: object;
}

export const everythingCalls: readonly SampleCall[] = [
  { tool: 'echo', args: { message: 'h\u00e9llo "quoted"\n\u2028 and \ud83d\ude80' } },
  { tool: 'get-annotated-message', args: { messageType: 'error', includeImage: true } },
  { tool: 'get-env', args: {} },
  { tool: 'get-resource-links', args: { count: 3 } },
  { tool: 'get-resource-reference', args: { resourceType: 'Text', resourceId: 2 } },
  { tool: 'get-structured-content', args: { location: 'Chicago' } },
  { tool: 'get-sum', args: { a: 2, b: 3.5 } },
  { tool: 'get-tiny-image', args: {} },
  {
    tool: 'gzip-file-as-resource',
    args: { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' },
  },
  { tool: 'simulate-research-query', args: { topic: 'gateways' } },
  { tool: 'toggle-simulated-logging', args: {} },
  { tool: 'toggle-subscriber-updates', args: {} },
  { tool: 'trigger-elicitation-request', args: {} },
  { tool: 'trigger-long-running-operation', args: { duration: 0.2, steps: 2 } },
  { tool: 'trigger-sampling-request', args: { prompt: 'Say hello', maxTokens: 5 } },
  { tool: 'trigger-url-elicitation', args: { url: 'https://example.org/', elicitationId: 'one' } },
];

export const memoryCalls: readonly SampleCall[] = [
  {
    tool: 'create_entities',
    args: {
      entities: [
        { name: 'Ada', entityType: 'person', observations: ['writes programs'] },
        { name: 'Engine', entityType: 'machine', observations: [] },
      ],
    },
  },
  {
    tool: 'create_relations',
    args: { relations: [{ from: 'Ada', to: 'Engine', relationType: 'programs' }] },
  },
  { tool: 'add_observations', args: { observations: [{ entityName: 'Engine', contents: ['of brass'] }] } },
  { tool: 'read_graph', args: {} },
  { tool: 'search_nodes', args: { query: 'brass' } },
  { tool: 'open_nodes', args: { names: ['Ada'] } },
  {
    tool: 'delete_observations',
    args: { deletions: [{ entityName: 'Engine', observations: ['of brass'] }] },
  },
  {
    tool: 'delete_relations',
    args: { relations: [{ from: 'Ada', to: 'Engine', relationType: 'programs' }] },
  },
  { tool: 'delete_entities', args: { entityNames: ['Ada', 'Engine'] } },
];

/** In the folder that `resetFolder` made. */
export function filesystemCalls(folder: string): readonly SampleCall[] {
  const inside = (name: string) => join(folder, name);
  return [
    { tool: 'read_file', args: { path: inside('a.txt') } },
    { tool: 'read_text_file', args: { path: inside('a.txt'), head: 1 } },
    { tool: 'read_media_file', args: { path: inside('pixel.png') } },
    { tool: 'read_multiple_files', args: { paths: [inside('a.txt'), inside('missing.txt')] } },
    { tool: 'write_file', args: { path: inside('new.txt'), content: 'new\n' } },
    { tool: 'edit_file', args: { path: inside('new.txt'), edits: [{ oldText: 'new', newText: 'newer' }] } },
    { tool: 'create_directory', args: { path: inside('made/deep') } },
    { tool: 'list_directory', args: { path: folder } },
    { tool: 'list_directory_with_sizes', args: { path: folder, sortBy: 'size' } },
    { tool: 'directory_tree', args: { path: folder } },
    { tool: 'move_file', args: { source: inside('new.txt'), destination: inside('moved.txt') } },
    { tool: 'search_files', args: { path: folder, pattern: '**/*.txt' } },
    { tool: 'get_file_info', args: { path: inside('../untouched.txt') } },
    { tool: 'list_allowed_directories', args: {} },
  ];
}

/** Makes `folder` anew; the file beside it is made once, because its times are part of an answer. */
export function resetFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.txt'), 'first line\nsecond line\n');
  writeFileSync(join(folder, 'pixel.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
}

/** Inside a container of the filesystem server, in the folder that its image gives it. */
export const containerFilesystemCalls: readonly SampleCall[] = [
  { tool: 'list_allowed_directories', args: {} },
  { tool: 'create_directory', args: { path: '/data/work/deep' } },
  { tool: 'write_file', args: { path: '/data/work/a.txt', content: 'first line\nsecond line\n' } },
  { tool: 'read_text_file', args: { path: '/data/work/a.txt', head: 1 } },
  { tool: 'read_multiple_files', args: { paths: ['/data/work/a.txt', '/data/work/missing.txt'] } },
  {
    tool: 'edit_file',
    args: { path: '/data/work/a.txt', edits: [{ oldText: 'first', newText: 'very first' }] },
  },
  { tool: 'list_directory', args: { path: '/data/work' } },
  { tool: 'list_directory_with_sizes', args: { path: '/data/work', sortBy: 'size' } },
  { tool: 'directory_tree', args: { path: '/data' } },
  { tool: 'move_file', args: { source: '/data/work/a.txt', destination: '/data/work/b.txt' } },
  { tool: 'search_files', args: { path: '/data', pattern: '**/*.txt' } },
];
