import { formatExactMoment } from '../../design/time.tsx';
import { parseSecureUrl } from './provider-address.ts';

/** One line about a page; `href` when it is an address on the web. */
export type Fact = { key: string; name: string; text: string; href: string | null };

/** The fields that come first. The others follow by name. */
const firstNames = ['from', 'to', 'cc', 'start', 'end', 'location', 'organizer', 'attendees', 'owner', 'modified'];

/** The frontmatter of a page as lines for people, without what is empty. */
export function listFacts(frontmatter: Record<string, unknown>): Fact[] {
  return Object.entries(frontmatter)
    .filter(([, value]) => value !== false && formatFact(value) !== '')
    .toSorted(([one], [other]) => rankFact(one) - rankFact(other) || one.localeCompare(other))
    .map(([key, value]) => ({
      key,
      name: key.replaceAll('_', ' '),
      text: formatFact(value),
      href: parseSecureUrl(value),
    }));
}

function rankFact(name: string): number {
  const rank = firstNames.indexOf(name);
  return rank < 0 ? firstNames.length : rank;
}

function formatFact(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatFact).filter(Boolean).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.values(value).map(formatFact).filter(Boolean).join(' ');
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(value))
    return formatExactMoment(value);
  if (value === true) return 'yes';
  return value === null || value === undefined || value === false ? '' : String(value);
}
