import type { ResourceKind } from './ids.ts';

/** What stands in examples: a thing of a kind, or one that something was done with before. */
export type ExampleKind =
  | ResourceKind
  | 'other_memory'
  | 'archived_memory'
  | 'duplicated_memory'
  | 'duplicate_memory'
  | 'linked_memory'
  | 'sent_draft';

/**
 * An id that stands in examples. Documentation shows it as it is; the contract test replaces it by the id of a real
 * thing of that kind, so that every example can be run.
 */
export function exampleId(kind: ExampleKind): string {
  const digits = [...kind].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 0xffffffffffff, 7);
  return `01920000-0000-7000-8000-${digits.toString(16).padStart(12, '0')}`;
}
