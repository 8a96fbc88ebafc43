// The secrets of an install: those that the publisher lent, or, for recipes of the server, those of the installer's chain.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { openBoundSecrets, openChainSecrets } from '#modules/variables';
import { intersectHostRules, type Handle } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { getEndpointHost, type ReadingEndpoint, type ReadingTemplate } from '../manifest/reading-template.ts';
import { findPublished } from '../store/recipes.ts';
import type { RecipeInstallRow } from '../store/tables.ts';
import { listLentNames } from './fill-endpoint.ts';

/** The secrets that the endpoints name, each only for the hosts of those endpoints. */
export async function openLentSecrets(
  vault: Vault,
  ctx: Context,
  { recipe_id, version, brain_id }: Pick<RecipeInstallRow, 'recipe_id' | 'version' | 'brain_id'>,
  template: ReadingTemplate,
): Promise<Map<string, Handle>> {
  const hosts = listHostsByName(template.endpoints);
  const names = [...hosts.keys()];
  if (!names.length) return new Map();
  if (recipe_id === null) return limitHosts(await openChainSecrets(vault, ctx, brain_id, names), hosts);
  const published = await findPublished(ctx.db, { id: recipe_id, version });
  const lent = (published?.lent_secrets ?? []).filter(({ name, host }) => hosts.get(name)?.includes(host));
  const lentTo = new Map(
    names.map((name) => [name, lent.filter((each) => each.name === name).map(({ host }) => host)]),
  );
  return limitHosts(await openBoundSecrets(vault, ctx.db, lent), lentTo);
}

/** Throws `conflict` when an endpoint needs a secret that is not there. */
export function checkSecrets(
  endpoint: ReadingEndpoint,
  secrets: ReadonlyMap<string, Handle>,
  isShipped: boolean,
): void {
  const missing = listLentNames(endpoint).find((name) => !secrets.has(name));
  if (missing === undefined) return;
  const host = getEndpointHost(endpoint);
  const said = isShipped
    ? `The variable ${missing} is missing. Store it with set_variable, for the host ${host}, or pass on a link from create_variable_link.`
    : `The publisher of this recipe does not lend ${missing} for ${host}. The publisher must store it and publish a new version.`;
  throw new AppError('conflict', said);
}

function listHostsByName(endpoints: readonly ReadingEndpoint[]): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const endpoint of endpoints)
    for (const name of listLentNames(endpoint))
      hosts.set(name, [...(hosts.get(name) ?? []), getEndpointHost(endpoint)]);
  return hosts;
}

/** A value goes to the hosts of its endpoints only, and of these to those that its owner named, if any. */
function limitHosts(secrets: ReadonlyMap<string, Handle>, hosts: ReadonlyMap<string, readonly string[]>) {
  const limited = new Map<string, Handle>();
  for (const [name, secret] of secrets) {
    const lentTo = hosts.get(name) ?? [];
    limited.set(name, { ...secret, hosts: secret.hosts.length ? intersectHostRules(secret.hosts, lentTo) : lentTo });
  }
  return limited;
}
