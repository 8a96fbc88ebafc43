// Chooses the brain of an item: by the sender's choice, by rules, by its earlier version, or by its signals.
import { isAtLeast } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { createNotFoundError } from '#kernel/errors';
import type { Sender } from './sender.ts';
import { normalizeChannel, findSenderDomain, normalizeSender, type Source } from './source.ts';
import type { ReadyConnector, RouteRow } from './store/connectors.ts';

/** How a brain was chosen. `confidence`: by the router's signals. `default`: the signals were unclear. */
export const routingMethods = [
  'target',
  'channel_mapping',
  'route',
  'previous',
  'only_brain',
  'confidence',
  'default',
] as const;

/** The brain of an item; `drop`: none; `score`: the router must choose. */
export type Placement =
  | { to: 'brain'; brainId: string; method: (typeof routingMethods)[number] }
  | { to: 'drop' }
  | { to: 'score'; brainIds: string[]; defaultBrainId: string };

export type BrainChoice = {
  target: string | undefined;
  source: Source;
  content: string;
  earlier: readonly { brain_id: string }[];
};

/** The brains that the caller may ingest into. A sender is limited to its own list. */
export async function listIngestBrains(ctx: Context, { allowedBrainIds }: Sender): Promise<Set<string>> {
  const { roles } = await ctx.brains();
  const writable = [...roles].filter(([, role]) => isAtLeast(role, 'editor')).map(([id]) => id);
  return new Set(allowedBrainIds ? writable.filter((id) => allowedBrainIds.includes(id)) : writable);
}

/** Chooses by the input and by rules. Throws `not_found` for a brain that the caller may not write to. */
export function chooseBrainByRules(
  { target, source, content, earlier }: BrainChoice,
  writable: ReadonlySet<string>,
  connector: ReadyConnector | null,
  homeBrainId: string,
): Placement {
  if (target !== undefined) return buildBrainPlacement(target, 'target', writable);
  const mapped = findChannelBrain(source.channel, connector?.config.channel_mappings ?? {});
  if (mapped === null) return { to: 'drop' };
  if (mapped !== undefined) return buildBrainPlacement(mapped, 'channel_mapping', writable);
  const routes = (connector?.routes ?? []).toSorted((a, b) => getSignalOrder(a) - getSignalOrder(b));
  const route = routes.find((each) => isSignalMatching(each, source, content));
  if (route) return buildBrainPlacement(route.target_brain_id, 'route', writable);
  const before = earlier.find(({ brain_id }) => writable.has(brain_id));
  if (before) return { to: 'brain', brainId: before.brain_id, method: 'previous' };
  const defaults = [connector?.config.default_brain_id, connector?.brain_id ?? homeBrainId, ...writable];
  const defaultBrainId = defaults.find((id): id is string => typeof id === 'string' && writable.has(id));
  if (defaultBrainId === undefined) throw createNotFoundError('brain');
  if (writable.size === 1) return { to: 'brain', brainId: defaultBrainId, method: 'only_brain' };
  return { to: 'score', brainIds: [...writable], defaultBrainId };
}

function buildBrainPlacement(
  brainId: string,
  method: (typeof routingMethods)[number],
  writable: ReadonlySet<string>,
): Placement {
  if (!writable.has(brainId)) throw createNotFoundError('brain');
  return { to: 'brain', brainId, method };
}

/** The brain of a channel; null: its items are dropped; undefined: the channel is not mapped. */
function findChannelBrain(channel: string | null, mappings: Record<string, string | null>): string | null | undefined {
  if (channel === null) return undefined;
  return Object.entries(mappings).find(([name]) => normalizeChannel(name) === normalizeChannel(channel))?.[1];
}

type Signal = Pick<RouteRow, 'signal_type' | 'signal_value'>;

/** The more specific a signal, the sooner it counts. */
const signalOrder: readonly RouteRow['signal_type'][] = ['sender', 'channel', 'domain', 'keyword'];

function getSignalOrder({ signal_type }: Signal): number {
  return signalOrder.indexOf(signal_type);
}

function isSignalMatching({ signal_type, signal_value }: Signal, { channel, user }: Source, content: string): boolean {
  const value = signal_value.trim().toLowerCase();
  switch (signal_type) {
    case 'sender':
      return user !== null && (normalizeSender(user) === value || user.toLowerCase() === value);
    case 'channel':
      return channel !== null && normalizeChannel(channel) === normalizeChannel(signal_value);
    case 'domain': {
      const domain = findSenderDomain(user);
      const wanted = value.replace(/^@/, '');
      return domain !== null && (domain === wanted || domain.endsWith(`.${wanted}`));
    }
    case 'keyword':
      return ` ${toPlainWords(content)} `.includes(` ${toPlainWords(value)} `);
  }
}

/** Words with one space between them, so that a keyword is found as whole words. */
function toPlainWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
