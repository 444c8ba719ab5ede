import { Failure } from '../../failure.ts';
import { resultText } from '../../json-rpc/write.ts';
import { badCursor } from './list-tools.ts';
import type { Method } from './scope.ts';

/**
 * `prompts/list`, `resources/list` and `resources/templates/list`: the finished list of the group's view, on one page.
 * Unknown methods to a group of which no server has such things.
 */
export function listFeatures(
  what: 'prompts' | 'resources',
  result: 'promptsResult' | 'resourcesResult' | 'templatesResult',
): Method {
  return ({ id, params }, { view }) => {
    if (!view.features.can[what])
      throw new Failure('method_not_found', `No server of this group has ${what}.`);
    if (params.cursor !== undefined) throw badCursor();
    return resultText(id, view.features[result]);
  };
}
