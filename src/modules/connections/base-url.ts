/** The operator's settings for a provider. */
export type ProviderSettings = { baseUrl: string | null; clientId: string | null; clientSecret: string | null };

/** Replaces a provider's host with the operator's base URL. The path stays. */
export function withBaseUrl(url: string, baseUrl: string | null): string {
  if (!baseUrl) return url;
  const { pathname, search } = new URL(url);
  return `${baseUrl}${pathname}${search}`;
}
