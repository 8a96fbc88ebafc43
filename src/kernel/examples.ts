/**
 * An id that stands in examples: of a thing of a kind, or of one that something was done with before, such as `archived_memory`.
 * Documentation shows it as it is; the contract test replaces it by the id of a real thing, so that every example can be run.
 */
export function exampleId(kind: string): string {
  const digits = [...kind].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 0xffffffffffff, 7);
  return `01920000-0000-7000-8000-${digits.toString(16).padStart(12, '0')}`;
}
