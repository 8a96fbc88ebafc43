import { createHash } from 'node:crypto';

/** JSON with sorted keys and no spaces, as RFC 8785 orders it: equal values have the same text. */
export function formatCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((element) => formatCanonicalJson(element ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${formatCanonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** The hash of a part of a draft, such as its preview. */
export function hashOfPart(part: unknown): string {
  return createHash('sha256').update(formatCanonicalJson(part)).digest('hex');
}

/**
 * The hash that a decision is bound to: the payload, its account, its rule, and the provider's data about the target.
 * Drafts from before rules existed have none.
 */
export function hashDraft(draft: {
  source: string;
  action: string;
  connectionId: string | null;
  payload: unknown;
  policy: { effect: string; rule: unknown } | null;
  target?: { names: readonly string[]; people: unknown } | null;
}): string {
  const { source, action, connectionId, payload, policy, target } = draft;
  const rule = policy ? { effect: policy.effect, rule: policy.rule } : undefined;
  const { names = [], people = null } = target ?? {};
  const reaches = names.length || people ? { names, people } : undefined;
  return createHash('sha256')
    .update(formatCanonicalJson({ source, action, connection: connectionId, payload, policy: rule, reaches }))
    .digest('hex');
}
