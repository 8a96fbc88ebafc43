// What of a credential must not be told on.
import type { Credential } from '#modules/connections';

/** The address that a credential is, as it is asked. */
export function ownAddress({ value }: Credential): string {
  return value.replace(/^webcal:/i, 'https:');
}

/** A short one is a word, and would be taken out of what others wrote. */
const shortestWithheld = 8;
/** What is removed from messages, and from answers. */
export function hidden(credential: Credential): { secrets: string[]; withheld: string[] } {
  const secrets = secretsOf(credential);
  return { secrets, withheld: secrets.filter((each) => each.length >= shortestWithheld) };
}

/** What must not be told on: an address that is the secret also as it is asked, and without its host. */
export function secretsOf(credential: Credential): string[] {
  if (credential.place !== 'url') return [credential.value];
  const address = ownAddress(credential);
  const { pathname, search } = new URL(address);
  const path = `${pathname}${search}`;
  // A short one is no secret, and would be taken out of everything that is said.
  return [credential.value, address, ...(path.length > 8 ? [path] : [])];
}
