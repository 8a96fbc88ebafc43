/** What the operator set for a provider. */
export type ProviderSettings = { baseUrl: string | null; clientId: string | null; clientSecret: string | null };

/** Puts the operator's base URL in the place of a provider's host; the path stays. */
export function placed(url: string, baseUrl: string | null): string {
  if (!baseUrl) return url;
  const { pathname, search } = new URL(url);
  return `${baseUrl}${pathname}${search}`;
}
