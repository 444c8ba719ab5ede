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
  const expected = expectation(error);
  return field === '' ? `Expected ${expected}.` : `Field \`${field}\`: expected ${expected}.`;
}

/** Refinements and enumerations say what they want before a comma or `but`; what was received follows it. */
function expectation(error: StructError): string {
  const message = error.failures()[0]?.message ?? '';
  if (error.refinement || error.type === 'enums') {
    return message.replace(/^Expected /, '').replace(/,? but received[\s\S]*$/, '');
  }
  const type = error.type === 'record' ? 'object' : error.type;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
