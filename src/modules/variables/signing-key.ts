// Which values may be keys of an HMAC: a short one, or one of digits, is found by trying all there are.
import { AppError } from '#kernel/errors';

/** The placement of a value that code may sign with. It stands nowhere in a request. */
export const keyPlacement = 'hmac';

const fewestBytes = 16;

/** Whether a value is long enough for a key, and not digits alone. */
export function isSigningKey(value: string): boolean {
  return Buffer.byteLength(value) >= fewestBytes && !/^\d+$/.test(value);
}

/** Throws `invalid_input` for a value that cannot have the placement `hmac`. */
export function checkSigningKey(value: string, { isOfAgent }: { isOfAgent: boolean }): void {
  const message = isOfAgent
    ? 'only values that people set are keys. Leave hmac out, or have your person set it by create_variable_link'
    : `a key has at least ${fewestBytes} bytes, and not digits alone. Leave hmac out, or set a longer value`;
  if (isOfAgent || !isSigningKey(value)) throw new AppError('invalid_input', `placements: ${message}.`);
}
