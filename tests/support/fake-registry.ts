/**
 * A registry that serves one image of its own making, as the distribution API says, and goes wrong on demand. Engines
 * take registries on loopback addresses without TLS.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface FakeRegistry {
  /** The same reference, whatever is behind it. */
  readonly image: string;
  /** Another image under the same tag from now on. */
  renew(): void;
  /** Layers are no longer served, though the manifest is. */
  refuseLayers(): void;
  /** Every request is answered so. */
  refuseWith(status: number, code: string): void;
  close(): Promise<void>;
}

interface Blob {
  readonly digest: string;
  readonly bytes: Buffer;
}

const type = 'application/vnd.docker';

export async function startFakeRegistry(layerBytes = 1_000_000): Promise<FakeRegistry> {
  let image = makeImage(layerBytes);
  let servesLayers = true;
  let refusal: { status: number; code: string } | undefined;
  const server = createServer((request, response) => {
    if (refusal) return refuse(response, refusal.status, refusal.code);
    serve(request, response, servesLayers ? image : { ...image, layers: [] });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    image: `127.0.0.1:${port}/made/up:1`,
    renew() {
      image = makeImage(layerBytes);
    },
    refuseLayers() {
      servesLayers = false;
    },
    refuseWith(status, code) {
      refusal = { status, code };
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { manifest, config, layers }: Image,
): void {
  const path = request.url ?? '';
  if (path === '/v2/') return void response.end('{}');
  if (path.includes('/manifests/')) {
    response.setHeader('content-type', `${type}.distribution.manifest.v2+json`);
    response.setHeader('docker-content-digest', manifest.digest);
    response.setHeader('content-length', manifest.bytes.length);
    return void response.end(manifest.bytes);
  }
  const blob = [config, ...layers].find(({ digest }) => path.endsWith(digest));
  if (blob) response.end(blob.bytes);
  else refuse(response, 404, 'BLOB_UNKNOWN');
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors: [{ code, message: code.toLowerCase() }] }));
}

interface Image {
  readonly manifest: Blob;
  readonly config: Blob;
  readonly layers: readonly Blob[];
}

/** Two layers of noise; it can be pulled and created, not started. */
function makeImage(layerBytes: number): Image {
  const tars = [tarOf('one', randomBytes(layerBytes)), tarOf('two', randomBytes(layerBytes))];
  const layers = tars.map((tar) => toBlob(gzipSync(tar, { level: 1 })));
  const config = toBlob({
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Cmd: ['/one'] },
    rootfs: { type: 'layers', diff_ids: tars.map((tar) => toBlob(tar).digest) },
    history: [],
  });
  const manifest = toBlob({
    schemaVersion: 2,
    mediaType: `${type}.distribution.manifest.v2+json`,
    config: describe(config, `${type}.container.image.v1+json`),
    layers: layers.map((layer) => describe(layer, `${type}.image.rootfs.diff.tar.gzip`)),
  });
  return { manifest, config, layers };
}

function describe({ digest, bytes }: Blob, mediaType: string) {
  return { mediaType, size: bytes.length, digest };
}

function toBlob(content: Buffer | object): Blob {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  return { bytes, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}` };
}

/** One file in a tar archive (ustar). */
function tarOf(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write('0000000\x000000000\0', 108);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc(((512 - (content.length % 512)) % 512) + 1024);
  return Buffer.concat([header, content, padding]);
}
