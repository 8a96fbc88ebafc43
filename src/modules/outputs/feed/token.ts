import { generateSecret, hashSecret } from '#platform/one-time-secrets';

/** A new token of a feed, with 256 random bits, and the hash that finds it. */
export function generateFeedToken(): { token: string; token_hash: string } {
  const token = generateSecret('zfeed');
  return { token, token_hash: hashSecret(token) };
}
