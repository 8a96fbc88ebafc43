// Redacts signatures of requests from outside. A captured signature can be sent again, so agents do not see it.

const blanked = '[blanked]';
const words: ReadonlySet<string> = new Set(['hmac', 'sig', 'digest']);

/** Headers or parameters with the signatures redacted: those with usual names, and those in `names` (in lower case). */
export function blankSignatures(
  fields: Readonly<Record<string, string>>,
  names: ReadonlySet<string> = new Set(),
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const lower = name.toLowerCase();
      return [name, isUsual(lower) || names.has(lower) ? blanked : value];
    }),
  );
}

/** The time of signing reveals nothing. */
function isUsual(name: string): boolean {
  const parts = name.replaceAll('_', '-').split('-');
  return !parts.includes('timestamp') && parts.some((part) => part.includes('signature') || words.has(part));
}
