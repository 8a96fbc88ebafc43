// What a connector may be told, checked, and how it is shown.
import { isAtLeast } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, notFound } from '#kernel/errors';
import { findBrains } from '#modules/brains';
import type { z } from 'zod';
import { notAllowed, type connectorOutput, type ConnectorSettings } from './connector-fields.ts';
import type { ConnectorRow, StoredConfig } from './store/connectors.ts';

/** Throws unless the caller may write to all of these brains: `not_found` for those it may not see. */
async function checkWritable(ctx: Context, brainIds: readonly string[]): Promise<void> {
  const { roles } = await ctx.brains();
  for (const id of brainIds) {
    const role = roles.get(id);
    if (!role) throw notFound('brain');
    if (!isAtLeast(role, 'editor'))
      throw new AppError(
        'forbidden',
        `A connector writes, so it needs the role editor on each brain; yours is ${role}.`,
      );
  }
}

/** A brain and all below it that the caller may write to. */
async function writableBelow(ctx: Context, brainId: string): Promise<string[]> {
  const { roles } = await ctx.brains();
  const writable = [...roles].filter(([, role]) => isAtLeast(role, 'editor')).map(([id]) => id);
  const brains = await findBrains(ctx.db, writable);
  const parents = new Map(brains.map(({ id, parent_brain_id }) => [id, parent_brain_id]));
  const isBelow = (id: string | null | undefined): boolean => id === brainId || (!!id && isBelow(parents.get(id)));
  return brains.map(({ id }) => id).filter((id) => isBelow(id));
}

/** The settings with what was told now. Without a list of its own, the brains that rules name are allowed by that. */
export async function configWith(
  ctx: Context,
  before: StoredConfig | null,
  told: ConnectorSettings,
  brainId: string,
): Promise<StoredConfig> {
  const base = before ?? emptyConfig;
  const config: StoredConfig = {
    ...base,
    ...(told.allowed_brain_ids && { allowed_brain_ids: [...new Set(told.allowed_brain_ids)], isListed: true }),
    ...(told.default_brain_id && { default_brain_id: told.default_brain_id }),
    ...(told.channel_mappings && { channel_mappings: told.channel_mappings }),
    ...(told.server_url && { server_url: told.server_url }),
  };
  if (!config.isListed && !before) config.allowed_brain_ids = await writableBelow(ctx, brainId);
  const named: [string, string | null][] = [
    ['default_brain_id', config.default_brain_id],
    ...Object.entries(config.channel_mappings).map(([channel, id]): [string, string | null] => [
      `channel_mappings.${channel}`,
      id,
    ]),
  ];
  await checkWritable(ctx, [
    ...(told.allowed_brain_ids ?? []),
    ...(told.default_brain_id ? [told.default_brain_id] : []),
    ...Object.values(told.channel_mappings ?? {}).filter((id) => id !== null),
  ]);
  return named.reduce((sum, [field, id]) => (id === null ? sum : allowing(sum, id, field)), config);
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
 * have this one.
 */
export function allowing(config: StoredConfig, brainId: string, field: string): StoredConfig {
  if (config.allowed_brain_ids.includes(brainId)) return config;
  if (config.isListed) throw notAllowed(field);
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
