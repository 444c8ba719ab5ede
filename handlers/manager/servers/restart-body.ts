import { type } from 'superstruct';
import { flag } from '../../../lib/json/field-structs.ts';

/** The body of `POST /api/servers/{name}/restart`. Fields of other names are allowed. */
export const RestartBody = type({
  discard_data: flag('Files of the container outside of volumes may be lost, where a secret has changed.'),
});
