import type { PageDocument } from './requests.ts';

/** Fields with the URL of an item at its provider. */
const fields = ['link', 'html_link', 'url', 'web_link'];

/** The URL of a page at its provider. It is untrusted, so only valid https URLs are returned. */
export function findProviderUrl({ source, frontmatter }: Pick<PageDocument, 'source' | 'frontmatter'>): string | null {
  const address = fields.map((name) => frontmatter[name]).find((value) => parseSecureUrl(value) !== null);
  if (address !== undefined) return parseSecureUrl(address);
  const [name, account = ''] = source?.split(':') ?? [];
  const thread = frontmatter['thread_id'];
  if (name !== 'gmail' || typeof thread !== 'string') return null;
  return `https://mail.google.com/mail/?authuser=${encodeURIComponent(account)}#all/${encodeURIComponent(thread)}`;
}

/** The address as the browser understands it; null for anything but https, and for one that names a user. */
export function parseSecureUrl(value: unknown): string | null {
  if (typeof value !== 'string' || !value.startsWith('https://') || !URL.canParse(value)) return null;
  const url = new URL(value);
  return url.username || url.password ? null : url.href;
}
