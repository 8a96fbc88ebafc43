// The parts of a credential that must stay secret.
import type { Credential } from '#kernel/provider-access';

/** The address that is the credential, in the form that requests use. */
export function readOwnAddress({ value }: Credential): string {
  return value.replace(/^webcal:/i, 'https:');
}

/** A shorter value may be an ordinary word; redacting it would damage other texts. */
const shortestWithheld = 8;
/** Redacted from messages and from answers. */
export function listHidden(credential: Credential): { secrets: string[]; withheld: string[] } {
  const secrets = listSecrets(credential);
  return { secrets, withheld: secrets.filter((each) => each.length >= shortestWithheld) };
}

/**
 * The secrets of a credential. For an address that is itself secret: also in the form that requests use, and without
 * its host.
 */
export function listSecrets(credential: Credential): string[] {
  if (credential.value === '') return []; // it is read without an account
  if (credential.place !== 'url') return [credential.value];
  const address = readOwnAddress(credential);
  const { pathname, search } = new URL(address);
  const path = `${pathname}${search}`;
  // A short text is not a secret, and redacting it would damage messages.
  return [credential.value, address, ...(path.length > 8 ? [path] : [])];
}
