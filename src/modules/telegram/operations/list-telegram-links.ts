import type { Context } from '#kernel/context';
import { defineOperation } from '#kernel/operation';
import { findBrains, readPersonalBrainId } from '#modules/brains';
import { listConnections, type ConnectionRow } from '#modules/connections';
import { listCredentialHolders } from '#modules/variables';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { commandMenu } from '../turns/commands.ts';
import { findBots, type BotRow } from '../store/bots.ts';
import { findCodeExpiry, findLinkOfPerson } from '../store/links.ts';

const moment = z.iso.datetime().nullable();

const link = z.object({
  connection_id: z.uuid(),
  bot: z.string(),
  bot_url: uri(),
  state: z
    .enum(['off', 'listening', 'failing'])
    .describe('off: no phone is linked, or the bot is disconnected. failing: it is retried; see failure.'),
  failure: z.string().nullable(),
  linked_as: z.string().nullable().describe('Your Telegram account; null: you have linked no phone.'),
  linked_at: moment,
  last_heard_at: moment.describe('When your phone last wrote.'),
  brain_id: z.uuid().nullable().describe('The brain for your notes.'),
  brain_name: z.string().nullable(),
  code_expires_at: moment.describe('When the latest link expires.'),
});

export function listTelegramLinks(options: { hasLlm: boolean }) {
  return defineOperation({
    name: 'list_telegram_links',
    summary: 'List your Telegram bots, your linked phone of each, and the commands.',
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'connections:read', isForPeople: true },
    rest: [{ method: 'GET', path: '/v1/telegram/links' }],
    input: z.strictObject({}),
    output: z.object({
      links: z.array(link),
      commands: z.array(z.object({ command: z.string(), takes: z.string().nullable(), description: z.string() })),
      understands_wishes: z.boolean().describe('Whether a language model reads messages. Otherwise fixed rules do.'),
    }),
    errors: ['forbidden'],
    examples: [{ title: 'Is my phone linked?', input: {} }],
    async run(ctx) {
      const connections = await listConnections(ctx.db, await listCredentialHolders(ctx.db, ctx.caller), {
        provider: 'telegram',
      });
      const bots = new Map(
        (
          await findBots(
            ctx.db,
            connections.map(({ id }) => id),
          )
        ).map((bot) => [bot.connection_id, bot]),
      );
      const links: z.input<typeof link>[] = [];
      for (const connection of connections) {
        links.push(await present(ctx, connection, bots.get(connection.id)));
      }
      return { links, commands: [...commandMenu], understands_wishes: options.hasLlm };
    },
  });
}

async function present(
  ctx: Context,
  connection: ConnectionRow,
  bot: BotRow | undefined,
): Promise<z.input<typeof link>> {
  const row = await findLinkOfPerson(ctx.db, connection.id, ctx.caller.personId);
  const isLinked = row !== undefined && row.chat_id !== null;
  const [brain] = isLinked
    ? await findBrains(ctx.db, [row.brain_id ?? (await readPersonalBrainId(ctx.db, row.person_id))])
    : [];
  return {
    connection_id: connection.id,
    bot: connection.account,
    bot_url: `https://t.me/${connection.account.replace(/^@/, '')}`,
    state: connection.status === 'active' && bot && bot.status !== 'ended' ? bot.status : 'off',
    failure: bot?.failure ?? null,
    linked_as: row?.chat_name ?? null,
    linked_at: toIso(row?.linked_at),
    last_heard_at: toIso(row?.heard_at),
    brain_id: brain?.id ?? null,
    brain_name: brain?.name ?? null,
    code_expires_at: toIso(row && (await findCodeExpiry(ctx.db, row.id, ctx.now))),
  };
}

function toIso(at: Date | null | undefined): string | null {
  return at?.toISOString() ?? null;
}
