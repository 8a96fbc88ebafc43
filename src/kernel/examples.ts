/**
 * An id for examples: of a kind of item, or of an item in a certain state, such as `archived_memory`. Documentation
 * shows it unchanged. The contract test replaces it with the id of a real item, so that every example runs.
 */
export function createExampleId(kind: string): string {
  const digits = [...kind].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 0xffffffffffff, 7);
  return `01920000-0000-7000-8000-${digits.toString(16).padStart(12, '0')}`;
}
