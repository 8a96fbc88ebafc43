// The parts of a credential that must stay secret.
import type { Credential } from '#kernel/provider-access';

/** The address that is the credential, in the form of requests. */
export function readOwnAddress({ value }: Credential): string {
  return value.replace(/^webcal:/i, 'https:');
}

/** A short one is an ordinary word, and redacting it would damage text of others. */
const shortestWithheld = 8;
/** Redacted from messages and from answers. */
export function listHidden(credential: Credential): { secrets: string[]; withheld: string[] } {
  const secrets = listSecrets(credential);
  return { secrets, withheld: secrets.filter((each) => each.length >= shortestWithheld) };
}

/** The secrets of a credential: an address that is the secret also in the form of requests, and without its host. */
export function listSecrets(credential: Credential): string[] {
  if (credential.place !== 'url') return [credential.value];
  const address = readOwnAddress(credential);
  const { pathname, search } = new URL(address);
  const path = `${pathname}${search}`;
  // A short text is no secret, and redacting it would damage messages.
  return [credential.value, address, ...(path.length > 8 ? [path] : [])];
}
