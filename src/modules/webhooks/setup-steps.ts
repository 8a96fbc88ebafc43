import { getProvider } from './signatures/schemes.ts';
import type { VersionRow } from './store/tables.ts';

type SenderSigning = Pick<VersionRow, 'provider' | 'scheme' | 'signature_settings'>;

/** The steps to set up the sender. */
export function listSetupSteps(
  { provider, scheme, signature_settings: settings }: SenderSigning,
  url: string,
): string[] {
  if (provider) return getProvider(provider).steps.map((step) => step.replaceAll('{url}', url));
  const address = `Let the sender POST to ${url}.`;
  if (scheme === 'none') return [`${address} The address is the secret: treat it like a password.`];
  if (scheme === 'standard_webhooks')
    return [address, 'It signs like Standard Webhooks, with the secret of this connector.'];
  const { header = 'X-Signature', encoding = 'hex', prefix = '' } = settings;
  const digest = encoding === 'hex' ? '<hex digest>' : '<base64 digest>';
  return [
    address,
    'It signs the body with HMAC-SHA256 and the secret of this connector.',
    `It sends the signature in the header ${header}: ${prefix}${digest}.`,
  ];
}

/** What an agent does with a new connector. */
export function describeNextStep({ scheme }: Pick<SenderSigning, 'scheme'>): string {
  const given = scheme === 'none' ? 'ingest_url' : 'ingest_url and the secret';
  return `Give ${given} to the sender and have it send an event. Read it with get_webhook_samples, write the translator with update_webhook_config, add fixtures, test them, then activate.`;
}
