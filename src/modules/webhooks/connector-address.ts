// The address of a connector. Without signatures it is the secret: stored sealed, and shown only to the owner at the
// console.
import { isAtConsole } from '#kernel/caller';
import type { Context } from '#kernel/context';
import type { Vault } from '#platform/vault';
import { buildConnectorUrl } from './slug.ts';
import type { ConnectorRow, VersionRow } from './store/tables.ts';

type AddressedConnector = Pick<ConnectorRow, 'id' | 'workspace_id' | 'person_id' | 'slug' | 'sealed_slug'>;
type SignedVersion = Pick<VersionRow, 'scheme'> | undefined;
export type Address = { slug: string | null; sealed_slug: string | null };

/** What a connector shows of its address. */
export type ShownAddress = { ingest_url: string | null; ingest_url_note: string | null };

function buildSlugColumn({ id: row, workspace_id: workspaceId }: Pick<AddressedConnector, 'id' | 'workspace_id'>) {
  return { workspaceId, table: 'webhook_connectors', row, column: 'sealed_slug' };
}

/** Whether the address is the only secret, because requests are not signed. */
function isSecret(version: SignedVersion): boolean {
  return version?.scheme === 'none';
}

/** What is stored of an address when a version becomes the newest. An address that was ever the secret stays sealed. */
export async function sealSecretAddress(
  ctx: Context,
  vault: Vault,
  connector: Pick<AddressedConnector, 'id' | 'workspace_id'> & Address,
  newest: SignedVersion,
): Promise<Address> {
  const { slug, sealed_slug } = connector;
  if (!isSecret(newest) || slug === null) return { slug, sealed_slug };
  return { slug: null, sealed_slug: await vault.seal(ctx.db, buildSlugColumn(connector), slug) };
}

/** The part of its address that everybody who sees the connector may read. */
export function presentPublicAddress(
  { id, slug }: AddressedConnector,
  versions: readonly SignedVersion[],
  publicUrl: string,
): ShownAddress {
  if (slug !== null && !versions.some(isSecret))
    return { ingest_url: buildConnectorUrl(publicUrl, slug), ingest_url_note: null };
  const masked = buildConnectorUrl(publicUrl, '********');
  const note = `${masked}: the address is the secret of this connector. Its owner finds it at the console: ${publicUrl}/webhooks/${id}?part=setup`;
  return { ingest_url: null, ingest_url_note: note };
}

/** Like `presentPublicAddress`, and the whole address for its owner at the console. */
export async function presentAddress(
  ctx: Context,
  { vault, publicUrl }: { vault: Vault; publicUrl: string },
  connector: AddressedConnector,
  versions: readonly SignedVersion[],
): Promise<ShownAddress> {
  const shown = presentPublicAddress(connector, versions, publicUrl);
  const { slug, sealed_slug, person_id } = connector;
  if (shown.ingest_url !== null || !isAtConsole(ctx.caller) || person_id !== ctx.caller.personId) return shown;
  if (slug === null && sealed_slug === null)
    return { ingest_url: null, ingest_url_note: 'The address was shown once. Create a new connector if you lost it.' };
  const opened = slug ?? (await vault.open(ctx.db, buildSlugColumn(connector), sealed_slug ?? ''));
  return {
    ingest_url: buildConnectorUrl(publicUrl, opened),
    ingest_url_note: 'The address is the secret of this connector: anyone who has it can send events.',
  };
}
