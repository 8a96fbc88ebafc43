import type { ResourceKind } from './ids.ts';

/**
 * An id that stands in examples. Documentation shows it as it is; the contract test replaces it by the id of a real
 * thing of that kind, so that every example can be run.
 */
export function exampleId(kind: ResourceKind | 'other_memory'): string {
  const digits = [...kind].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 0xffffffffffff, 7);
  return `01920000-0000-7000-8000-${digits.toString(16).padStart(12, '0')}`;
}
