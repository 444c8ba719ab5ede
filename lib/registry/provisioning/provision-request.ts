import { enums, type Infer, object, optional } from 'superstruct';
import { containerFields } from '../../config/container-fields.ts';
import { assertImageAllowed } from '../../config/image-reference.ts';
import { parseServerConfig } from '../../config/parse-server-config.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import {
  Arguments,
  boundFields,
  Description,
  ImageReference,
  Port,
  type ServerConfigDocument,
  ServerName,
  UrlPath,
  Variables,
} from '../../config/server-config-document.ts';
import { provisionFailed } from '../../containers/images/provision-steps.ts';
import { Failure } from '../../failure.ts';
import { check } from '../../json/check.ts';
import { flag } from '../../json/field-structs.ts';
import { about } from '../../json/json-schema.ts';

/** The body of `POST /api/servers/provision`, validated in full before any request to an engine. */
export const ProvisionRequest = object({
  name: ServerName,
  image: ImageReference,
  command: optional(about(Arguments, 'What replaces the image’s command; `args` of the config.')),
  env_vars: optional(Variables),
  description: optional(Description),
  transport: optional(
    about(
      enums(['stdio', 'streamable_http']),
      'How MCP is spoken with the server; absent: `streamable_http` with a `port` or `path`, else `stdio`.',
    ),
  ),
  port: optional(
    about(
      Port,
      'The port inside the container, of `streamable_http`; absent: the one that the image exposes.',
    ),
  ),
  path: optional(UrlPath),
  ...boundFields,
  ...containerFields,
  discard_data: flag('Volumes of a removed server of this name, which another image wrote, may be lost.'),
});

export type ProvisionRequest = Infer<typeof ProvisionRequest>;

/**
 * @param allowedImages Patterns of `ALLOWED_IMAGES`; none allows all.
 * @throws Failure `invalid_params`, `image_not_allowed`.
 */
export function parseProvisionRequest(body: unknown, allowedImages: readonly string[]): ProvisionRequest {
  const request = check(body, ProvisionRequest);
  if (request.transport === 'stdio' && (request.port ?? request.path) !== undefined) {
    throw new Failure('invalid_params', 'Fields `port` and `path` have no use with transport `stdio`.');
  }
  assertImageAllowed(request.image, allowedImages);
  draftConfig(request);
  return request;
}

/**
 * The config before the image is pulled: the port may still change.
 * @throws Failure `invalid_params`
 */
export function draftConfig(request: ProvisionRequest): ServerConfig {
  return parseServerConfig(toConfigDocument(request, [1]), longestCallMs);
}

/** Long enough for every time that is valid with the service's `CALL_TIMEOUT_MS`, which is not known here. */
const longestCallMs = 86_400_000;

/**
 * The requested registration config, in its file's form. Streamable HTTP when the request says so or names a port or
 * path, stdio otherwise; without a port in the request, the port that the image exposes.
 * @throws Failure `provision_failed`, 422, when the image exposes none or several.
 */
export function toConfigDocument(
  request: ProvisionRequest,
  exposedPorts: readonly number[],
): ServerConfigDocument {
  const { command, env_vars, transport, port, path, discard_data: _, ...same } = request;
  const isHttp = transport === 'streamable_http' || (port ?? path) !== undefined;
  return {
    ...same,
    transport: isHttp ? 'streamable_http' : 'stdio',
    ...(isHttp ? { port: port ?? onlyPort(exposedPorts), ...(path === undefined ? {} : { path }) } : {}),
    ...(command === undefined ? {} : { args: command }),
    ...(env_vars === undefined ? {} : { env: env_vars }),
  };
}

function onlyPort(exposed: readonly number[]): number {
  const [port] = exposed;
  if (port !== undefined && exposed.length === 1) return port;
  const what = port === undefined ? 'no port' : 'several ports';
  throw provisionFailed('pull', `The image exposes ${what}; say which \`port\` it listens on.`, {
    status: 422,
  });
}
