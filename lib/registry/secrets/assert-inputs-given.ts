import { mapReferringStrings } from '../../config/references.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { Failure } from '../../failure.ts';

const input = /\$\{input:([^{}$]{1,200})\}/;

/**
 * What another client would ask a person for must not become the value itself.
 * @throws Failure `invalid_params`
 */
export function assertInputsGiven(config: ServerConfig): void {
  mapReferringStrings(config, (text) => {
    const [whole, id] = input.exec(text) ?? [];
    if (whole !== undefined) {
      throw new Failure(
        'invalid_params',
        `The config asks for a value with \`${whole}\`: put the value there, or a \`\${NAME}\` of the secrets.`,
        { details: { input: id } },
      );
    }
    return text;
  });
}
