import type { Context, SettleContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import {
  decideByPolicy,
  draftAction,
  outcomeOf,
  presentPreview,
  previewOutput,
  type ActionRegistry,
  type DraftRow,
  type Sending,
} from '#modules/actions';
import { connectionId, type ConnectionRow } from '#modules/connections';
import type { MeteredLlm } from '#modules/usage';
import { z } from 'zod';
import { accountById, chooseAccount, connectedSources, type SourceNeeds } from '../linked-accounts.ts';
import { readRequest, type ReadRequest } from '../read-request.ts';
import { translateRequest } from '../translate-request.ts';

type Options = {
  sending: Sending;
  registry: ActionRegistry;
  sources: readonly SourceNeeds[];
  publicUrl: string;
  llm: MeteredLlm | null;
};

const input = z.strictObject({
  install_id: connectionId
    .optional()
    .describe('Linked account to act through, from list_integrations; with action_name and input.'),
  action_name: z.string().min(1).max(100).optional().describe('Such as send_email, create_event or create_file.'),
  input: z
    .record(z.string().max(100), z.unknown())
    .optional()
    .describe("The action's fields, such as {to, subject, body}."),
  source: z.string().min(1).max(60).optional().describe('Such as gmail; with request, or with action_name and input.'),
  request: z.string().trim().min(1).max(1_000).optional().describe('The wish in plain words.'),
  account: z.string().min(3).max(320).optional().describe('Which account of the source, when several are linked.'),
  notify: z
    .array(z.enum(['inbox', 'telegram']))
    .min(1)
    .max(2)
    .default(['inbox']),
  batch_id: z.uuid().optional().describe('One for all drafts of a turn: the inbox shows them as a group.'),
});
type Input = z.output<typeof input>;

const noTelegram = 'Prompts are not sent to Telegram yet, so this one is in the inbox alone.';

const output = z.object({
  kind: z
    .enum(['draft', 'clarification', 'noop', 'auto_executed'])
    .describe('auto_executed: the policy lets it go without asking, and it was sent.'),
  draft_id: z.uuid().optional(),
  action: z.string().optional(),
  preview: previewOutput.optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
  expires_at: z.iso.datetime().optional(),
  approval_url: z.url().optional().describe('Where the person sees and decides it.'),
  question: z.string().optional(),
  reason: z.string().optional(),
  status: z.enum(['confirmed', 'failed', 'ambiguous']).optional().describe('What became of what was sent at once.'),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
  audit_id: z.uuid().optional().describe('The draft whose ledger tells how it was decided and sent: get_action.'),
  note: z.string().optional().describe('What of the wish could not be done.'),
});

type Answer = z.input<typeof output>;
/** What `run` has: an answer, or a draft that the policy lets go by itself. */
type Drafted = Answer | { kind: 'going'; draft: DraftRow; isOurs: boolean };

export function actOnIntegration(options: Options) {
  return defineOperation({
    name: 'act_on_integration',
    summary:
      'Draft a write at a linked service: a mail, an event, a file. Nothing is sent; show the preview and let the person decide.',
    toolset: 'integrations',
    effect: 'write',
    access: { scope: 'actions:draft' },
    input,
    output,
    errors: ['not_found', 'invalid_input', 'conflict', 'forbidden'],
    examples: [
      {
        title: 'A mail by its fields',
        input: {
          install_id: exampleId('connection'),
          action_name: 'send_email',
          input: { to: ['noah@example.com'], subject: 'Re: next week', body: "We're in. Which day works?" },
        },
      },
      {
        title: 'A mail in plain words',
        input: { source: 'gmail', request: 'Mail ana@example.com, subject: Hello, body: See you on Friday.' },
      },
    ],
    choices: async (ctx) => ({ source: await connectedSources(ctx, options.sources) }),

    async run(ctx, wish): Promise<Drafted> {
      const source = sourceOf(options, wish);
      const read = wish.request ? readRequest(source.name, wish.request, ctx.now) : byFields(wish);
      return answerTo(ctx, options, source, wish, read);
    },

    async settle(ctx, understood, wish) {
      const { llm, registry } = options;
      if (understood.kind !== 'clarification' || !llm || !wish.request) return sent(ctx, options, understood);
      const source = sourceOf(options, wish);
      const actions = registry.all().filter((action) => action.source === source.name);
      const read = await translateRequest(llm.for(ctx, 'act_on_integration'), actions, wish.request, ctx.now);
      return sent(ctx, options, await ctx.transact((inner) => answerTo(inner, options, source, wish, read)));
    },
  });
}

async function answerTo(
  ctx: Context,
  options: Options,
  source: SourceNeeds,
  wish: Input,
  read: ReadRequest,
): Promise<Drafted> {
  if (read.kind !== 'action') return read;
  const action = options.registry.find(source.name, read.action);
  if (!action) throw unknownAction(options, read.action);
  const connection = await connectionOf(ctx, wish, source, options.publicUrl);
  const { notify, batch_id } = wish;
  const draft = { action, payload: read.payload, connection, notify, batchId: batch_id ?? null };
  const row = await draftAction(ctx, draft);
  if (row.policy?.effect === 'allow')
    return { kind: 'going', draft: row, isOurs: await decideByPolicy(ctx, options.sending, row.id) };
  const answer = answerOf(row, options.publicUrl);
  return notify.includes('telegram') ? { ...answer, note: noTelegram } : answer;
}

/** Sends what the policy lets go; every other answer is one already. */
async function sent(ctx: SettleContext, { sending }: Options, drafted: Drafted): Promise<Answer> {
  if (drafted.kind !== 'going') return drafted;
  const { draft, isOurs } = drafted;
  const { status, result, error } = await outcomeOf(ctx, sending, draft.id, isOurs);
  const kind = 'auto_executed' as const;
  return { kind, draft_id: draft.id, audit_id: draft.id, action: draft.action, status, result, error };
}

function byFields({ action_name, input: fields }: Input) {
  if (!action_name || !fields) {
    throw new AppError(
      'invalid_input',
      'Say what to do: action_name with input (and install_id or source), or source with request.',
    );
  }
  return { kind: 'action' as const, action: action_name, payload: fields };
}

function sourceOf(options: Options, wish: Input): SourceNeeds {
  return wish.install_id ? sourceOfAction(options, wish) : sourceNamed(options, wish.source);
}

function sourceNamed({ sources }: Options, name: string | undefined): SourceNeeds {
  const source = sources.find((each) => each.name === name);
  if (source) return source;
  const known = sources.map((each) => each.name).join(', ');
  throw new AppError(
    'invalid_input',
    `source: ${name ? `there is no source ${name}` : 'required without install_id'}. Known: ${known}.`,
  );
}

/** With an install id the action's name tells the source: names are unique among a provider's sources. */
function sourceOfAction(options: Options, { action_name = '', source }: Input): SourceNeeds {
  if (source) return sourceNamed(options, source);
  const action = options.registry.all().find((each) => each.name === action_name);
  if (!action) throw unknownAction(options, action_name);
  return sourceNamed(options, action.source);
}

function connectionOf(ctx: Context, wish: Input, source: SourceNeeds, publicUrl: string): Promise<ConnectionRow> {
  if (wish.install_id) return accountById(ctx, wish.install_id, source, publicUrl);
  return chooseAccount(ctx, source, { account: wish.account, publicUrl });
}

function unknownAction({ registry }: Options, name: string): AppError {
  const known = registry.all().map((action) => `${action.name} (${action.source})`);
  return new AppError(
    'invalid_input',
    `action_name: there is no action ${name || 'without a name'}. Known: ${known.join(', ')}.`,
  );
}

function answerOf(draft: DraftRow, publicUrl: string) {
  return {
    kind: 'draft' as const,
    draft_id: draft.id,
    action: draft.action,
    preview: presentPreview(draft.preview),
    payload: draft.payload,
    expires_at: draft.expires_at.toISOString(),
    approval_url: `${publicUrl}/inbox/${draft.id}`,
  };
}
