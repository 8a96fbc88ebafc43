import type { LedgerEntry } from '#emulators/kit/ledger';

const secretFields = /^(access_token|refresh_token|id_token|code_verifier|client_secret|token|uploadUrl)$/;
/** Shorter ones are words. */
const shortest = 12;

/** What of a request and its answer is a credential: in headers, in the path, and in fields that are called so. */
export function listCredentials({ path, headers, body, response }: LedgerEntry): string[] {
  const [scheme = '', value = ''] = (headers['authorization'] ?? '').split(/ (.*)/s);
  const sent = /^basic$/i.test(scheme) ? Buffer.from(value, 'base64').toString().split(':').at(-1) : value || scheme;
  const inPath = /^\/bot([^/]+)\//.exec(path)?.[1] ?? ''; // Telegram's
  return [sent ?? '', inPath, ...listSecretFields(body), ...listSecretFields(response)].filter(
    (each) => each.length >= shortest,
  );
}

function listSecretFields(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each === 'string' ? (secretFields.test(name) ? [each] : []) : listSecretFields(each),
  );
}
