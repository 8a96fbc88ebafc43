// Which values may be keys of an HMAC: a short value, or one of digits only, can be found by trying all values.
import { AppError } from '#kernel/errors';

/** The placement of a value that code may sign with. It is not a part of a request. */
export const keyPlacement = 'hmac';

const fewestBytes = 16;

/** Whether a value is long enough for a key, and has more than digits. */
export function isSigningKey(value: string): boolean {
  return Buffer.byteLength(value) >= fewestBytes && !/^\d+$/.test(value);
}

/** Throws `invalid_input` for a value that cannot have the placement `hmac`. */
export function checkSigningKey(value: string, { isOfAgent }: { isOfAgent: boolean }): void {
  const message = isOfAgent
    ? 'only values that people set can be keys. Leave hmac out, or let your person set it with create_variable_link'
    : `a key has at least ${fewestBytes} bytes, and more than digits. Leave hmac out, or set a longer value`;
  if (isOfAgent || !isSigningKey(value)) throw new AppError('invalid_input', `placements: ${message}.`);
}
