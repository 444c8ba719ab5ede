import { type Failure as Finding, type Struct, type StructError, validate } from 'superstruct';
import { Failure, type FailureCode } from '../failure.ts';

/**
 * The value as the struct's type, or a Failure whose sentence names the field and what was expected. The
 * library's own texts contain the received value, which may be a secret, so they never leave.
 */
export function check<Type>(
  value: unknown,
  struct: Struct<Type, unknown>,
  code: FailureCode = 'invalid_params',
): Type {
  const [error, result] = validateSafely(value, struct, code);
  if (error) throw new Failure(code, explain(error));
  return result as Type;
}

/** The library prints what it received, and an object with a `toString` of its own makes it throw. */
function validateSafely<Type>(value: unknown, struct: Struct<Type, unknown>, code: FailureCode) {
  try {
    return validate(value, struct, { coerce: true });
  } catch (cause) {
    throw new Failure(code, 'A value is of the wrong type.', { cause });
  }
}

function explain(error: StructError): string {
  const [finding] = error.failures();
  const field = fieldName(error.path);
  if (error.type === 'never') return `Unknown field \`${field}\`.`;
  const expected = finding ? expectation(finding) : 'another value';
  return field === '' ? `Expected ${expected}.` : `Field \`${field}\`: expected ${expected}.`;
}

/** The expectation of a struct without the received value, which the library puts after `but received`. */
function expectation(finding: Finding): string {
  const plain = finding.refinement ? undefined : plainTypes[finding.type];
  return plain ?? finding.message.replace(/^Expected /, '').replace(/,? but received[\s\S]*$/, '');
}

const plainTypes: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
  type: 'an object',
};

const longestShownName = 80;

/** The sender chose the keys, so a path may be as long as the body. */
function fieldName(path: readonly unknown[]): string {
  const name = path.join('.');
  return name.length > longestShownName ? `${name.slice(0, longestShownName)}…` : name;
}
