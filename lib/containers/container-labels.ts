import type { ContainerFacts, ContainerSpec, VolumeSpec } from './containers.ts';

/**
 * The labels by which our containers are known again, whatever becomes of the database or of us. The engine shows
 * them to everybody who may look at it: names and hashes, no values.
 */
export const deploymentLabel = 'svc-mcp.deployment';
/** The compose project of the installation, by which all that is its can be found without a database. */
export const projectLabel = 'svc-mcp.project';
export const serverLabel = 'svc-mcp.server';
const sessionLabel = 'svc-mcp.session';
const configLabel = 'svc-mcp.config';
const portLabel = 'svc-mcp.port';
const imageLabel = 'svc-mcp.image';

export type Labels = Readonly<Record<string, string>>;

/** Whose it is: the deployment, and the compose project where there is one. */
export interface Owner {
  readonly deploymentId: string;
  readonly project?: string | undefined;
}

/** On everything that we make, networks included. */
export function ownerLabels({ deploymentId, project }: Owner): Labels {
  return {
    [deploymentLabel]: deploymentId,
    ...(project === undefined ? {} : { [projectLabel]: project }),
  };
}

export function labelsOf(spec: ContainerSpec, owner: Owner): Labels {
  return {
    ...ownerLabels(owner),
    [serverLabel]: spec.server,
    [configLabel]: spec.configHash,
    [imageLabel]: spec.reference,
    ...(spec.sessionId === undefined ? {} : { [sessionLabel]: spec.sessionId }),
    ...(spec.port === undefined ? {} : { [portLabel]: String(spec.port) }),
  };
}

export function volumeLabels({ server, sessionId }: VolumeSpec, owner: Owner): Labels {
  return {
    ...ownerLabels(owner),
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
