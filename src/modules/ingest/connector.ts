// Checks the settings of a connector, and presents it.
import { isAtLeast } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { checkConnectorBrains, findBrains } from '#modules/brains';
import type { z } from 'zod';
import { createBrainNotAllowedError, type connectorOutput, type ConnectorSettings } from './connector-fields.ts';
import type { ConnectorRow, StoredConfig } from './store/connectors.ts';

/** A brain and all brains below it that the caller may write to. */
async function listWritableBelow(ctx: Context, brainId: string): Promise<string[]> {
  const { roles } = await ctx.brains();
  const writable = [...roles].filter(([, role]) => isAtLeast(role, 'editor')).map(([id]) => id);
  const brains = await findBrains(ctx.db, writable);
  const parents = new Map(brains.map(({ id, parent_brain_id }) => [id, parent_brain_id]));
  const isBelow = (id: string | null | undefined): boolean => id === brainId || (!!id && isBelow(parents.get(id)));
  return brains.map(({ id }) => id).filter((id) => isBelow(id));
}

/** The settings with the given changes. Without an explicit list, brains that rules name are allowed, too. */
export async function mergeConnectorConfig(
  ctx: Context,
  before: StoredConfig | null,
  given: ConnectorSettings,
  brainId: string,
): Promise<StoredConfig> {
  const base = before ?? emptyConfig;
  const config: StoredConfig = {
    ...base,
    ...(given.allowed_brain_ids && { allowed_brain_ids: [...new Set(given.allowed_brain_ids)], isListed: true }),
    ...(given.default_brain_id && { default_brain_id: given.default_brain_id }),
    ...(given.channel_mappings && { channel_mappings: given.channel_mappings }),
    ...(given.server_url && { server_url: given.server_url }),
  };
  if (!config.isListed && !before) config.allowed_brain_ids = await listWritableBelow(ctx, brainId);
  const named: [string, string | null][] = [
    ['default_brain_id', config.default_brain_id],
    ...Object.entries(config.channel_mappings).map(([channel, id]): [string, string | null] => [
      `channel_mappings.${channel}`,
      id,
    ]),
  ];
  await checkConnectorBrains(ctx, [
    ...(given.allowed_brain_ids ?? []),
    ...(given.default_brain_id ? [given.default_brain_id] : []),
    ...Object.values(given.channel_mappings ?? {}).filter((id) => id !== null),
  ]);
  return named.reduce((sum, [field, id]) => (id === null ? sum : allowBrain(sum, id, field)), config);
}

const emptyConfig: StoredConfig = {
  allowed_brain_ids: [],
  isListed: false,
  default_brain_id: null,
  channel_mappings: {},
  server_url: null,
};

/**
 * The settings with a brain allowed. Throws `invalid_input` when the list of brains was set explicitly and does not
 * include this one.
 */
export function allowBrain(config: StoredConfig, brainId: string, field: string): StoredConfig {
  if (config.allowed_brain_ids.includes(brainId)) return config;
  if (config.isListed) throw createBrainNotAllowedError(field);
  return { ...config, allowed_brain_ids: [...config.allowed_brain_ids, brainId] };
}

type Token = { prefix: string; last_used_at: Date | null };

export function presentConnector(connector: ConnectorRow, token: Token | undefined): z.input<typeof connectorOutput> {
  const { id, name, source, kind, brain_id, config, created_at } = connector;
  return {
    connector_id: id,
    name,
    source,
    connector_type: kind,
    brain_id,
    allowed_brain_ids: config.allowed_brain_ids,
    default_brain_id: config.default_brain_id ?? brain_id,
    channel_mappings: config.channel_mappings,
    server_url: config.server_url,
    token_prefix: token?.prefix ?? null,
    last_used_at: token?.last_used_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}
