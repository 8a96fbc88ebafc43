import type { ListedConnector } from '../../entities/webhook-connectors.ts';
import type { Outcome, Provider } from './requests.ts';

type Tone = 'plain' | 'go' | 'wait' | 'stop';

export const outcomeText: Record<Outcome, string> = {
  received: 'Waiting',
  success: 'Stored',
  partial: 'Partly stored',
  dropped: 'Dropped',
  duplicate: 'Duplicate',
  draft: 'Sample',
  signature_failed: 'Wrong signature',
  translator_error: 'Translator error',
  ingest_error: 'Not stored',
  refused: 'Refused',
};

export const outcomeTone: Record<Outcome, Tone> = {
  received: 'wait',
  success: 'go',
  partial: 'wait',
  dropped: 'plain',
  duplicate: 'plain',
  draft: 'plain',
  signature_failed: 'stop',
  translator_error: 'stop',
  ingest_error: 'stop',
  refused: 'stop',
};

export const filterText = {
  all: 'All',
  success: 'Stored',
  errors: 'Errors',
  draft: 'Samples',
  signature_failed: 'Wrong signature',
  dropped: 'Dropped',
} as const;

type Status = ListedConnector['status'];

export const statusText: Record<Status, string> = {
  draft: 'Draft',
  active: 'Active',
  paused: 'Paused',
  deleted: 'Deleted',
};

export const statusTone: Record<Status, Tone> = { draft: 'wait', active: 'go', paused: 'plain', deleted: 'stop' };

/** Senders without their own setup guide, by how they sign. */
export const schemeText: Record<Exclude<ListedConnector['signature_scheme'], 'provider'>, string> = {
  hmac_sha256: 'Another sender, signed with HMAC-SHA256',
  standard_webhooks: 'Another sender, signed as Standard Webhooks',
  none: 'Another sender, not signed (secret address)',
};

const signatureText: typeof schemeText = {
  hmac_sha256: 'Signed with HMAC-SHA256',
  standard_webhooks: 'Signed as Standard Webhooks',
  none: 'Not signed: the address is the secret',
};

type SignedConnector = Pick<ListedConnector, 'provider' | 'signature_scheme'>;

/** The name of a connector’s sender. */
export function getConnectorSender(
  { provider, signature_scheme: scheme }: SignedConnector,
  providers: readonly Provider[],
): string {
  const known = providers.find((each) => each.provider === provider);
  if (known) return known.title;
  return scheme === 'provider' ? (provider ?? '') : signatureText[scheme];
}
