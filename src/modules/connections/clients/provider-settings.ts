/** The operator's settings for a provider. */
export type ProviderSettings = { baseUrl: string | null; clientId: string | null; clientSecret: string | null };
