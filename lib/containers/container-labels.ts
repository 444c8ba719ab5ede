import type { ContainerFacts, ContainerSpec, VolumeSpec } from './containers.ts';

/**
 * The labels that identify our containers independently of the database and of this service. Everyone with access to
 * the engine can read them, so they hold names and hashes, no secret values.
 */
export const deploymentLabel = 'svc-mcp.deployment';
/** The compose project of the installation, which finds all that belongs to the installation without a database. */
export const projectLabel = 'svc-mcp.project';
export const serverLabel = 'svc-mcp.server';
const sessionLabel = 'svc-mcp.session';
const configLabel = 'svc-mcp.config';
const portLabel = 'svc-mcp.port';
const imageLabel = 'svc-mcp.image';

export type Labels = Readonly<Record<string, string>>;

/** The owner of an object: the deployment, and its compose project where there is one. */
export interface Owner {
  readonly deploymentId: string;
  readonly project?: string | undefined;
}

/** Labels of every object that we create, networks included. */
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

/**
 * @param image The image the container was created from; containers of earlier versions carry the reference of the
 * config.
 */
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
