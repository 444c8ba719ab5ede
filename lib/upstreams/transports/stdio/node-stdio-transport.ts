import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { ServerConfig } from '../../../config/server-config.ts';
import { oneLine } from '../../../json/raw-json.ts';
import { createLineReader } from '../../../json-rpc/node-line-reader.ts';
import { type OpenTransport, type Transport, type TransportEvents, unusableTransport } from '../transport.ts';
import { endProcessGroup } from './node-process-group.ts';

/**
 * A server as a child process: one message a line on its standard input and output. Started without a shell, in
 * a process group of its own, with an environment of its own. Messages of one turn of the event loop are sent in
 * one write. A child that stops reading is ended before unread messages fill our memory.
 */
export interface StdioOptions {
  /** The child's whole environment, made from its config. */
  readonly environmentOf: (config: ServerConfig) => Record<string, string>;
}

const mostUnreadBytes = 64 * 1024 * 1024;
/** How long output may still come after the exit, ms. */
const lastOutputMs = 100;

export function createStdioOpener({ environmentOf }: StdioOptions): OpenTransport {
  return (config, events) => {
    try {
      return new StdioTransport(config, events, environmentOf(config));
    } catch (error) {
      if (error instanceof NoPipes) return unusableTransport(events, error.message);
      // Arguments that no program can be given, such as a zero byte.
      return unusableTransport(events, 'its command or arguments cannot be used');
    }
  };
}

class StdioTransport implements Transport {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #events: TransportEvents;
  #outgoing = '';
  #isFlushPlanned = false;
  #isOver = false;

  constructor(config: ServerConfig, events: TransportEvents, env: Record<string, string>) {
    this.#events = events;
    const { command = '', args, cwd } = config;
    this.#child = spawn(command, args, { cwd, env, detached: true, shell: false, stdio: 'pipe' });
    assertPipes(this.#child);
    this.#listen(config);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  sendRequest(_id: number, text: string): void {
    this.#write(text);
  }

  async sendOther(text: string): Promise<void> {
    this.#write(text);
  }

  ready(): void {}

  forget(): void {}

  async close(): Promise<void> {
    this.#flush();
    this.#isOver = true;
    const { stdout, stderr } = this.#child;
    // A child that floods its output is blocked from here on, instead of keeping a core busy until it ends.
    stdout.pause();
    await endProcessGroup(this.#child);
    stdout.destroy();
    stderr.destroy();
  }

  #listen(config: ServerConfig): void {
    const child = this.#child;
    const { lineBytes } = config.limits;
    const read = createLineReader({
      longestLineBytes: lineBytes,
      onLine: (line) => {
        if (!this.#isOver) this.#events.onMessage(line);
      },
      onTooLong: () => {
        child.stdout.destroy();
        this.#end(`it sent a line of more than ${lineBytes} bytes`);
      },
    });
    child.stdout.on('data', read);
    child.stdout.on('end', () => setTimeout(() => this.#end('it closed its output'), lastOutputMs));
    child.stdin.on('error', () => setTimeout(() => this.#end('it closed its input'), lastOutputMs));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => this.#events.onStderr(chunk));
    child.on('error', (error) => this.#end(spawnProblem(error, config.cwd)));
    // Output may be read after the exit, and a grandchild may hold it open for ever.
    child.on('close', (code, signal) => this.#end(exitReason(code, signal)));
    child.on('exit', (code, signal) => setTimeout(() => this.#end(exitReason(code, signal)), lastOutputMs));
  }

  #write(text: string): void {
    if (this.#isOver) return;
    this.#outgoing += `${oneLine(text)}\n`;
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushPlanned = false;
    if (this.#isOver || this.#outgoing === '') return;
    const text = this.#outgoing;
    this.#outgoing = '';
    const { stdin } = this.#child;
    if (stdin.writable) stdin.write(text);
    if (stdin.writableLength > mostUnreadBytes) this.#end('it does not read what it is sent');
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onClose(reason);
  }
}

class NoPipes extends Error {}

/** Without file descriptors there are no pipes, and the reason comes as an `error` event, which must have a listener. */
function assertPipes(child: ChildProcess): void {
  if ((child.stdin as Writable | null | undefined) !== undefined) return;
  child.on('error', () => {});
  throw new NoPipes('its process could not be started: this service has no file descriptors left');
}

function exitReason(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ? `its process was ended by ${signal}` : `its process ended with code ${code}`;
}

function spawnProblem(error: NodeJS.ErrnoException, cwd: string | undefined): string {
  if (cwd !== undefined && !existsSync(cwd)) return 'its working directory does not exist';
  if (error.code === 'ENOENT') return 'its command was not found';
  if (error.code === 'EACCES') return 'its command may not be executed';
  return `its process could not be started (${error.code ?? 'unknown'})`;
}

/**
 * Variables that a child inherits: those by which programs find files, users and languages. The rest of our own environment
 * holds passwords and tokens and is never passed on.
 */
const inherited = /^(PATH|HOME|LANG|LC_[A-Z]+|TZ|TMPDIR|USER|LOGNAME|SHELL|TERM)$/;

export type Environment = Readonly<Record<string, string | undefined>>;

/** @param markers Win over the config, so that no child can hide from `reapOrphans`. */
export function childEnvironment(
  parent: Environment,
  own: Environment,
  markers: Environment,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && inherited.test(name)) environment[name] = value;
  }
  for (const [name, value] of [...Object.entries(own), ...Object.entries(markers)]) {
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
