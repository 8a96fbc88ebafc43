import { readValue } from './values.ts';
import type { Condition } from './api-schema.ts';

/** Whether a value fulfils a condition. Without a list: whether it exists and is true. */
export function isFulfilled({ at, isOneOf, isNot }: Condition, value: unknown): boolean {
  const found = readValue(value, at);
  if (isOneOf) return isOneOf.some((each) => each === found);
  if (isNot) return !isNot.some((each) => each === found);
  return found !== undefined && found !== null && found !== false && found !== '' && found !== 0;
}
