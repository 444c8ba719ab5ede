import { type Struct, type StructError, validate } from 'superstruct';
import { Failure, type FailureCode } from './failure.ts';

/**
 * The value as the struct's type, or a Failure whose sentence names the field and what was expected. The
 * library's own texts contain the received value, which may be a secret, so they never leave.
 */
export function check<Type>(
  value: unknown,
  struct: Struct<Type, unknown>,
  code: FailureCode = 'invalid_params',
): Type {
  const [error, result] = validate(value, struct, { coerce: true });
  if (error) throw new Failure(code, explain(error));
  return result as Type;
}

function explain(error: StructError): string {
  const field = error.path.join('.');
  if (error.type === 'never') return `Unknown field \`${field}\`.`;
  const expected = error.refinement ? refinementText(error) : `${article(error.type)} ${error.type}`;
  return field === '' ? `Expected ${expected}.` : `Field \`${field}\`: expected ${expected}.`;
}

/** Our own refinements carry their sentence; the library's print the received value after a comma or `but`. */
function refinementText(error: StructError): string {
  return error.message.replace(/^Expected /, '').replace(/,? but received[\s\S]*$/, '');
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? 'an' : 'a';
}
