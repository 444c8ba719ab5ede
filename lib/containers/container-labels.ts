import type { ContainerFacts, ContainerSpec, VolumeSpec } from './containers.ts';

/**
 * The labels by which our containers are known again, whatever becomes of the database or of us. The engine shows
 * them to everybody who may look at it: names and hashes, no values.
 */
export const deploymentLabel = 'svc-mcp.deployment';
export const serverLabel = 'svc-mcp.server';
const sessionLabel = 'svc-mcp.session';
const configLabel = 'svc-mcp.config';
const portLabel = 'svc-mcp.port';
const imageLabel = 'svc-mcp.image';

export type Labels = Readonly<Record<string, string>>;

export function labelsOf(spec: ContainerSpec, deploymentId: string): Labels {
  return {
    [deploymentLabel]: deploymentId,
    [serverLabel]: spec.server,
    [configLabel]: spec.configHash,
    [imageLabel]: spec.reference,
    ...(spec.sessionId === undefined ? {} : { [sessionLabel]: spec.sessionId }),
    ...(spec.port === undefined ? {} : { [portLabel]: String(spec.port) }),
  };
}

export function volumeLabels({ server, sessionId }: VolumeSpec, deploymentId: string): Labels {
  return {
    [deploymentLabel]: deploymentId,
    [serverLabel]: server,
    ...(sessionId === undefined ? {} : { [sessionLabel]: sessionId }),
  };
}

/** @param image What it was created from; containers of earlier versions have it as the config has it. */
export function factsOfLabels(
  labels: Labels,
  image = '',
): Pick<ContainerFacts, 'server' | 'sessionId' | 'configHash' | 'port' | 'reference'> {
  const port = labels[portLabel];
  return {
    server: labels[serverLabel] ?? '',
    sessionId: labels[sessionLabel],
    configHash: labels[configLabel] ?? '',
    reference: labels[imageLabel] ?? image,
    port: port === undefined ? undefined : Number(port),
  };
}
