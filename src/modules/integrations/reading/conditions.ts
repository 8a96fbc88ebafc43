import { valueAt } from '../executor/values.ts';
import type { Condition } from './pieces.ts';

/** Whether a value says what is asked. Without a list: whether it is there and says yes. */
export function holds({ at, isOneOf, isNot }: Condition, value: unknown): boolean {
  const found = valueAt(value, at);
  if (isOneOf) return isOneOf.some((each) => each === found);
  if (isNot) return !isNot.some((each) => each === found);
  return found !== undefined && found !== null && found !== false && found !== '' && found !== 0;
}
