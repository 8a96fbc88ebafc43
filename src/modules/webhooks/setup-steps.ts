import { providerOf } from './signatures/schemes.ts';
import type { VersionRow } from './store/tables.ts';

/** The steps to set up the sender. */
export function setupSteps({ provider, scheme }: Pick<VersionRow, 'provider' | 'scheme'>, url: string): string[] {
  if (provider) return providerOf(provider).steps.map((step) => step.replaceAll('{url}', url));
  const address = `Have the sender POST to ${url}.`;
  if (scheme === 'none') return [`${address} The address is the secret: treat it like a password.`];
  if (scheme === 'standard_webhooks')
    return [address, 'It signs as Standard Webhooks does, with the secret of this connector.'];
  return [
    address,
    'It signs the body with HMAC-SHA256 and the secret of this connector, and sends the signature in a header.',
  ];
}
