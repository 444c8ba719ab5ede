/** Images of the test bed that declare a volume, made without a builder: a container that never ran, committed. */
import type Docker from 'dockerode';
import { testImage } from './testbed.ts';

/** @param repository Without a tag. @param options `path` empty: it declares none; another `label` makes another image. Resolves with the image's reference. */
export async function imageWithVolume(
  docker: Docker,
  base: string,
  repository: string,
  { path = '/data', tag = '1', label = '' } = {},
): Promise<string> {
  const container = await docker.createContainer({ Image: testImage(base), Labels: { variant: label } });
  try {
    await container.commit({ repo: repository, tag, ...(path === '' ? {} : { changes: `VOLUME ${path}` }) });
  } finally {
    await container.remove();
  }
  return `${repository}:${tag}`;
}
