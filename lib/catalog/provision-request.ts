import { enums, type Infer, object, optional } from 'superstruct';
import { check } from '../http/check.ts';
import { Failure } from '../http/failure.ts';
import { isImageAllowed } from './image-reference.ts';
import {
  Arguments,
  Description,
  ImageReference,
  Port,
  ServerName,
  UrlPath,
  Variables,
} from './server-config-document.ts';

/** The body of `POST /api/servers/provision`, checked in full before anything is asked of an engine. */
const ProvisionRequest = object({
  name: ServerName,
  image: ImageReference,
  command: optional(Arguments),
  env_vars: optional(Variables),
  description: optional(Description),
  transport: optional(enums(['stdio', 'streamable_http'])),
  port: optional(Port),
  path: optional(UrlPath),
});

export type ProvisionRequest = Infer<typeof ProvisionRequest>;

/**
 * @param allowedImages Patterns of `ALLOWED_IMAGES`; none allows all.
 * @throws Failure `invalid_params`, `image_not_allowed`.
 */
export function parseProvisionRequest(body: unknown, allowedImages: readonly string[]): ProvisionRequest {
  const request = check(body, ProvisionRequest);
  const isHttp = request.transport === 'streamable_http';
  if (isHttp && request.port === undefined) {
    throw new Failure('invalid_params', 'Field `port`: expected the port that the image listens on.');
  }
  if (!isHttp && (request.port ?? request.path) !== undefined) {
    throw new Failure('invalid_params', 'Fields `port` and `path` have no use with transport `stdio`.');
  }
  if (!isImageAllowed(request.image, allowedImages)) {
    throw new Failure('image_not_allowed', 'This image may not be provisioned here; see `ALLOWED_IMAGES`.');
  }
  return request;
}
