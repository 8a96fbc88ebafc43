// Determines which addresses are token endpoints: those that a person or a known provider named.
import type { Db } from '#kernel/database';
import { parseAddress } from '#platform/egress';
import type { ConsentPlace } from '../consents/consent-plan.ts';
import { findTokenEndpoints, insertTokenEndpoints } from '../store/token-endpoints.ts';
import { findVariables } from '../store/variables.ts';
import type { VariableTier } from '../tiers.ts';
import { findProviderAtHost } from './stand-in.ts';

/** Stores the token endpoint that a person saw on the page of a consent, for the variables that buy tokens there. */
export async function keepTokenEndpoint(
  db: Db,
  { workspaceId, variableTier, place }: { workspaceId: string; variableTier: VariableTier; place: ConsentPlace },
  names: readonly string[],
): Promise<void> {
  if (place.known) return;
  const url = parseAddress(place.tokenUrl).href;
  const rows = await findVariables(db, [variableTier], { names });
  await insertTokenEndpoints(
    db,
    rows.map(({ id }) => ({ variable_id: id, workspace_id: workspaceId, url })),
  );
}

/**
 * Whether a canonical address is a token endpoint for every secret of a request to it: for a known provider exactly its
 * own, otherwise the one that a person named on a page for each secret.
 */
export async function isTokenEndpoint(
  db: Db,
  url: string,
  { answered, ofRun }: { answered: readonly { variable_id: string }[]; ofRun: readonly unknown[] },
): Promise<boolean> {
  const known = findProviderAtHost(new URL(url).host);
  if (known) return url === known.tokenUrl;
  if (!answered.length || ofRun.length) return false;
  const endpoints = await findTokenEndpoints(
    db,
    answered.map(({ variable_id }) => variable_id),
  );
  return answered.every(({ variable_id }) => endpoints.get(variable_id) === url);
}
