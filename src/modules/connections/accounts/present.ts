// A linked account as operations return it. It contains no token, no secret address and nothing sealed.
import type { Caller } from '#kernel/caller';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import type { Provider } from '#kernel/provider';
import type { ConnectionRow } from '../store/connections.ts';

const moment = z.iso.datetime().nullable();

export const connectionOutput = z.object({
  connection_id: z.uuid(),
  provider: z.string(),
  provider_label: z.string(),
  kind: z.enum(['oauth', 'token']),
  owner: z.enum(['person', 'workspace']),
  may_change: z.boolean().describe('Whether you may relink or unlink it.'),
  account: z.string().describe("The account's name at the provider."),
  account_email: z.string().nullable().describe('The same, if it is a mail address.'),
  external_subject: z
    .string()
    .nullable()
    .describe('Its id at the provider, which does not change when it is renamed; null for a pasted token.'),
  source: z
    .enum(['customer_oauth', 'local_direct'])
    .describe('How it is linked: by an OAuth client, or by a pasted token.'),
  status: z
    .enum(['active', 'reconnect_needed', 'revoked'])
    .describe('reconnect_needed: the provider no longer accepts it. revoked: it was unlinked here.'),
  status_reason: z.string().nullable(),
  scopes: z.array(z.string()),
  lost_scopes: z.array(z.string()).describe('Permissions that the provider took away.'),
  warnings: z.array(z.string()).describe('What will stop working or fails, and what to do.'),
  ends_at: moment.describe('When the access expires permanently.'),
  connected_at: z.iso.datetime(),
  revoked_at: moment.describe('When it was unlinked here.'),
  updated_at: z.iso.datetime(),
  last_refresh_at: moment,
  last_used_at: moment,
  last_sync_at: moment,
  last_error: z.string().nullable(),
  last_error_at: moment,
  connect_url: uri().describe('The page to link it again.'),
});

/** An expiry nearer than this is a warning. */
const soonMs = 3 * 24 * 60 * 60 * 1000;

export function presentConnection(
  row: ConnectionRow,
  {
    provider,
    caller,
    now,
    publicUrl,
  }: { provider: Provider | undefined; caller: Caller; now: Date; publicUrl: string },
): z.input<typeof connectionOutput> {
  const label = provider?.label ?? row.provider;
  return {
    connection_id: row.id,
    provider: row.provider,
    provider_label: label,
    kind: row.kind,
    owner: row.is_shared ? 'workspace' : 'person',
    may_change: !row.is_shared || caller.role !== 'member',
    account: row.account,
    account_email: z.email().safeParse(row.account).data ?? null,
    external_subject: row.kind === 'oauth' ? row.account_id : null,
    source: row.kind === 'oauth' ? 'customer_oauth' : 'local_direct',
    status: row.status,
    status_reason: row.status_reason,
    scopes: row.scopes,
    lost_scopes: row.lost_scopes,
    warnings: row.status === 'active' ? listWarnings(row, label, now) : [],
    ends_at: toIso(row.ends_at),
    connected_at: row.connected_at.toISOString(),
    revoked_at: toIso(row.revoked_at),
    updated_at: row.updated_at.toISOString(),
    last_refresh_at: toIso(row.last_refresh_at),
    last_used_at: toIso(row.last_used_at),
    last_sync_at: toIso(row.last_sync_at),
    last_error: row.last_error,
    last_error_at: toIso(row.last_error_at),
    connect_url: `${publicUrl}/integrations/${row.provider}`,
  };
}

function listWarnings(row: ConnectionRow, label: string, now: Date): string[] {
  const warnings: string[] = [];
  if (row.ends_at && row.ends_at.getTime() - now.getTime() < soonMs) {
    warnings.push(`${label} ends this access on ${row.ends_at.toISOString().slice(0, 10)}. Link it again before that.`);
  }
  if (row.lost_scopes.length) {
    warnings.push(`A permission was removed: ${row.lost_scopes.join(', ')}. Link it again to restore it.`);
  }
  if (row.last_error) warnings.push(`The last attempt failed: ${row.last_error}`);
  return warnings;
}

function toIso(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
