/**
 * The test bed's engine as the cases want it: images of the names they use, and how many of the requests that reach it
 * would change something.
 */
import Docker from 'dockerode';
import { startRecordingEngine, testImage } from '../support/recording-engine.ts';

export interface CaseEngine {
  /** For `DOCKER_HOST`. */
  readonly host: string;
  /** Requests that change something, so far. */
  changes(): number;
  /** Ends what the cases made. */
  stop(): Promise<void>;
}

/** Name in the cases → image of the test bed. */
const images = { 'mcp/echo': 'memory', 'mcp/not-mcp': 'silent' };

/** Undefined, after one line that says why, where there is no engine. */
export async function startCaseEngine(): Promise<CaseEngine | undefined> {
  const engine = await startRecordingEngine();
  if (engine === undefined) return undefined;
  const docker = new Docker();
  for (const [name, image] of Object.entries(images)) {
    await pull(docker, testImage(image));
    await docker.getImage(testImage(image)).tag({ repo: name, tag: '1' });
  }
  return {
    host: engine.host,
    changes: () => engine.requested.filter((head) => !/^(GET|HEAD) /.test(head)).length,
    async stop() {
      await engine.stop();
      for (const name of Object.keys(images)) await docker.getImage(`${name}:1`).remove();
    },
  };
}

async function pull(docker: Docker, image: string): Promise<void> {
  const stream = await docker.pull(image);
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()));
  });
}
