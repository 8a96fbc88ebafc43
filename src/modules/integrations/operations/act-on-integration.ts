import { mayActAsPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import {
  checkRedraft,
  draftAnswer,
  draftId,
  createDraftInCall,
  finishDraft,
  longestWaitMinutes,
  takeReplyTo,
  type DraftRequest,
  type PendingDraftAnswer,
  type GateDeps,
} from '#modules/actions';
import { itemId } from '#kernel/ids';
import { findConnection } from '#modules/connections';
import type { MeteredLlm } from '#modules/usage';
import { z } from 'zod';
import { givenFiles, mostOfRequest, withFiles } from '../given-files.ts';
import {
  loadAccountById,
  chooseAccount,
  listConnectedSources,
  listCapabilityScopes,
  type SourceNeeds,
} from '../linked-accounts.ts';
import type { FetchDeps } from '../fetching.ts';
import { toOurFields, toOurName } from '../other-names.ts';
import { isEmailSearch, prepareSearch, searchEmails, type EmailSearch } from '../query-emails.ts';
import { readRequest, type ReadRequest } from '../read-request.ts';
import { translateRequest } from '../translate-request.ts';

type Options = {
  /** How many bytes of files a workspace may store. */
  attachmentRoom: number;
  gate: GateDeps;
  sources: readonly SourceNeeds[];
  llm: MeteredLlm | null;
  /** For clients that search mails as an action. */
  fetching: FetchDeps;
  buildInstallDraft: BuildInstallDraft;
};

/** What the gate drafts for an action of an installed recipe; null: the id is of no install. */
export type BuildInstallDraft = (
  ctx: Context,
  asked: { installId: string; actionName: string; input: Record<string, unknown> },
) => Promise<Pick<DraftRequest, 'action' | 'payload' | 'connection'> | null>;

/** How long a draft waits unless a person wants otherwise. */
const usualMinutes = 60;

const input = z.strictObject({
  install_id: itemId('install')
    .optional()
    .describe(
      'The linked account to act through: its connection_id from list_integrations; or the install of a recipe that declares actions. Needs action_name and input.',
    ),
  action_name: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('The action, such as send_email, create_event or create_file.'),
  input: z
    .record(z.string().max(100), z.unknown())
    .optional()
    .describe('The fields of the action, such as {to, subject, body}.'),
  source: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .describe('The source, such as gmail. Needs request, or action_name and input.'),
  request: z.string().trim().min(1).max(1_000).optional().describe('What to do, in plain words.'),
  account: z.string().min(3).max(320).optional().describe('The account, when several are linked for the source.'),
  attachments: givenFiles
    .optional()
    .describe('Files to send with a mail at Gmail or Outlook: at most 5, of 10 MB each.'),
  attach_from_page: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe("Gmail only: the slug of a mail's page. The files of that mail are sent, too."),
  notify: z
    .array(z.enum(['inbox', 'telegram']))
    .min(1)
    .max(2)
    .default(['inbox'])
    .describe('Where the person is asked to approve. telegram: on their linked phone, with buttons.'),
  expires_in_minutes: z
    .number()
    .int()
    .min(5)
    .max(longestWaitMinutes)
    .default(usualMinutes)
    .describe(
      'How long the draft waits for approval. Only a person may set more than an hour. Afterwards the draft expires, and nothing is sent.',
    ),
  follows_id: draftId.optional().describe('The unsent draft to replace. Its can_redraft must be true.'),
  batch_id: z.uuid().optional().describe('The same id for all drafts of one turn: the inbox shows them as a group.'),
});
type Input = z.output<typeof input>;

/** A draft waits one hour by default; only a person may set a longer time. */
function checkWaits({ caller }: Context, { expires_in_minutes: minutes }: Input): void {
  if (minutes <= usualMinutes || mayActAsPerson(caller)) return;
  const message = `expires_in_minutes: only a person may set more than ${usualMinutes} minutes. Leave it out. The person can extend the draft in the inbox.`;
  throw new AppError('forbidden', message, { max_minutes: usualMinutes });
}

export function actOnIntegration(options: Options) {
  return defineOperation({
    name: 'act_on_integration',
    summary:
      'Draft a write at a linked service: a mail, an event, a file. `query` with the type integration_action lists the actions. Nothing is sent yet: show the preview, and let the person decide.',
    toolset: 'integrations',
    effect: 'write',
    access: {
      scope: 'actions:draft',
      also: [{ scope: 'integrations:fetch', when: (_ctx, input) => isEmailSearch(input) }],
    },
    input,
    output: draftAnswer,
    maxBodyBytes: mostOfRequest,
    errors: ['not_found', 'invalid_input', 'conflict', 'forbidden', 'payload_too_large', 'plan_limit'],
    examples: [
      {
        title: 'A mail by its fields',
        input: {
          install_id: createExampleId('install'),
          action_name: 'send_email',
          input: { to: ['noah@example.com'], subject: 'Re: next week', body: "We're in. Which day works?" },
        },
      },
      {
        title: 'A mail in plain words',
        input: { source: 'gmail', request: 'Mail ana@example.com, subject: Hello, body: See you on Friday.' },
      },
    ],
    choices: async (ctx) => ({ source: await listConnectedSources(ctx, listActingSources(options), 'act') }),

    async run(ctx, input): Promise<PendingDraftAnswer | EmailSearch> {
      checkWaits(ctx, input);
      if (isEmailSearch(input)) return prepareSearch(ctx, input, options.fetching.publicUrl);
      const replied = await takeReplyTo(ctx, options.gate, input);
      if (replied) return replied;
      const ofInstall = await createInstallDraft(ctx, options, input);
      if (ofInstall) return ofInstall;
      const source = await resolveSource(ctx, options, input);
      const read = isInWords(input) ? readRequest(source.name, input.request) : toActionRequest(source, input);
      return answerTo(ctx, options, source, input, read);
    },

    async afterCommit(ctx, understood, input) {
      if (understood.kind === 'searching') {
        const result = await searchEmails(ctx, options.fetching, understood);
        return { kind: 'auto_executed' as const, action: 'query_emails', result };
      }
      const { llm, gate } = options;
      if (understood.kind !== 'clarification' || !llm || !isInWords(input))
        return finishDraft(ctx, options.gate, understood, input);
      const source = await ctx.transact((inner) => resolveSource(inner, options, input));
      const actions = gate.registry.all().filter((action) => action.source === source.name);
      const read = await translateRequest(llm.for(ctx, 'act_on_integration'), actions, input.request, ctx.now);
      const drafted = await ctx.transact((inner) => answerTo(inner, options, source, input, read));
      return finishDraft(ctx, options.gate, drafted, input);
    },
  });
}

/** The draft of an action that an installed recipe declares; null: the id is of a linked account. */
async function createInstallDraft(
  ctx: Context,
  { buildInstallDraft, gate }: Options,
  { install_id: installId, action_name: actionName, input: fields = {}, ...how }: Input,
): Promise<PendingDraftAnswer | null> {
  if (installId === undefined || actionName === undefined) return null;
  const found = await buildInstallDraft(ctx, { installId, actionName, input: fields });
  if (!found) return null;
  const { notify, batch_id, follows_id: followsId, expires_in_minutes: expiresInMinutes } = how;
  if (followsId) await checkRedraft(ctx, followsId);
  const draft = { ...found, notify, batchId: batch_id ?? null, expiresInMinutes, ...(followsId && { followsId }) };
  return createDraftInCall(ctx, gate, draft);
}

/** The sources with an action. */
function listActingSources({ sources, gate: { registry } }: Options): SourceNeeds[] {
  const acting = new Set(registry.all().map((action) => action.source));
  return sources.filter(({ name }) => acting.has(name));
}

/** Exact fields win over free text when both are given. */
function isInWords(input: Input): input is Input & { request: string } {
  return input.request !== undefined && (input.action_name === undefined || input.input === undefined);
}

async function answerTo(
  ctx: Context,
  options: Options,
  source: SourceNeeds,
  input: Input,
  read: ReadRequest,
): Promise<PendingDraftAnswer> {
  if (read.kind !== 'action') return read;
  const action = options.gate.registry.find(source.name, read.action);
  if (!action) throw createUnknownActionError(options, read.action, new Set([source.name]));
  const scopes = action.scopes ?? listCapabilityScopes(source, 'act');
  const wanted = { account: input.account, publicUrl: options.gate.publicUrl, scopes };
  const connection = input.install_id
    ? await loadAccountById(ctx, input.install_id, source, wanted)
    : await chooseAccount(ctx, source, wanted);
  const { notify, batch_id, follows_id: followsId, expires_in_minutes: expiresInMinutes } = input;
  if (followsId) await checkRedraft(ctx, followsId);
  const { files, payload } = await withFiles(ctx, {
    action,
    request: input,
    payload: read.payload,
    room: options.attachmentRoom,
  });
  const draft = {
    action,
    payload,
    connection,
    notify,
    files,
    batchId: batch_id ?? null,
    expiresInMinutes,
    ...(followsId && { followsId }),
  };
  return createDraftInCall(ctx, options.gate, draft);
}

function toActionRequest({ name: source }: SourceNeeds, { action_name, input: fields }: Input) {
  if (!action_name || !fields) {
    throw new AppError(
      'invalid_input',
      'Pass action_name with input (and install_id or source), or source with request.',
    );
  }
  return {
    kind: 'action' as const,
    action: toOurName(source, action_name),
    payload: toOurFields(source, action_name, fields),
  };
}

/** With an install id the action's name identifies the source: action names are unique within a provider. */
async function resolveSource(
  { db }: Context,
  options: Options,
  { install_id: id, source: given, action_name = '' }: Input,
): Promise<SourceNeeds> {
  const { sources, gate } = options;
  let name = given;
  if (id && !name) {
    const account = await findConnection(db, id);
    const ofProvider = new Set(
      sources.filter(({ provider }) => provider === account?.provider).map((each) => each.name),
    );
    const action = gate.registry
      .all()
      .find((each) => each.name === toOurName(each.source, action_name) && ofProvider.has(each.source));
    if (!action) throw createUnknownActionError(options, action_name, ofProvider);
    name = action.source;
  }
  const source = sources.find((each) => each.name === name);
  if (source) return source;
  const known = sources.map((each) => each.name).join(', ');
  throw new AppError(
    'invalid_input',
    `source: ${name ? `there is no source ${name}` : 'required without install_id'}. Known: ${known}.`,
  );
}

function createUnknownActionError(
  { gate: { registry } }: Options,
  name: string,
  sources: ReadonlySet<string>,
): AppError {
  const known = registry.all().filter((action) => sources.has(action.source));
  const names = known.map((action) => `${action.name} (${action.source})`).join(', ') || 'none';
  return new AppError(
    'invalid_input',
    `action_name: there is no action ${name || 'without a name'} here. Known: ${names}.`,
  );
}
