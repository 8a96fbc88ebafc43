import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { callerKindNames } from '#kernel/caller-kinds';
import { itemId } from '#kernel/ids';
import { parsePayload } from '#kernel/parse-payload';
import { rulesSchema } from '#kernel/rule';
import { z } from 'zod';
import { readActionKind, readActor, buildReadSubject, buildSubjectAsWritten } from '../ask-policy.ts';
import type { DraftPolicy } from '../draft-policy.ts';
import { judge, type Subject } from '../judge.ts';
import { presentVerdict, verdictOutput } from '../present.ts';
import type { ActionRegistry } from '../registry.ts';
import { readPolicy } from '../store.ts';

const input = z.strictObject({
  draft_id: itemId('draft').optional().describe('An existing draft. Or describe one:'),
  edits: z
    .record(z.string().max(100), z.unknown())
    .optional()
    .describe('Edits to try on that draft. They are not stored.'),
  source: z.string().min(1).max(60).optional(),
  action: z.string().min(1).max(100).optional(),
  input: z
    .record(z.string().max(100), z.unknown())
    .optional()
    .describe(
      "The action's fields. Nothing is looked up: names and ids count as written, and recipients that only the provider knows count as the strictest case.",
    ),
  recipients: z.array(z.string().min(1).max(320)).max(300).optional().describe('The recipients, instead of input.'),
  target: z.string().min(1).max(320).optional().describe('The target, instead of input.'),
  account: z.string().min(1).max(320).optional().describe('The sending account.'),
  caller: z.enum(callerKindNames).optional().describe('The caller kind that would draft it. Default: yours.'),
  rules: rulesSchema.optional().describe('Rules to try instead of the current ones. Nothing is changed.'),
  floor: rulesSchema.optional(),
});
type Input = z.output<typeof input>;

export function explainPolicy(registry: ActionRegistry, { readSubject }: Pick<DraftPolicy, 'readSubject'>) {
  return defineOperation({
    name: 'explain_policy',
    summary: 'Explain how the policy answers a write: which rule, and why. Also tries rules without setting them.',
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'actions:read' },
    rest: [{ method: 'POST', path: '/v1/policy/explain' }],
    input,
    output: verdictOutput.extend({ version: z.number().int() }),
    errors: ['not_found', 'invalid_input'],
    examples: [
      { title: 'Why does this draft wait?', input: { draft_id: createExampleId('draft') } },
      {
        title: 'Would this mail need approval?',
        input: {
          source: 'gmail',
          action: 'send_email',
          input: { to: ['noah@example.com'], subject: 'Hello', body: 'See you on Friday.' },
          rules: [{ effect: 'allow', every_recipient: '*@example.com' }],
        },
      },
    ],
    async run(ctx, asked) {
      if (asked.edits && !asked.draft_id) throw new AppError('invalid_input', 'edits: give draft_id too.');
      const policy = await readPolicy(ctx.db);
      const { rules = policy.rules, floor = policy.floor } = asked;
      const subject = asked.draft_id
        ? await readSubject(ctx, asked.draft_id, asked.edits)
        : buildTriedSubject(ctx, registry, asked);
      return { ...presentVerdict(judge({ rules, floor }, subject)), version: policy.version };
    },
  });
}

function buildTriedSubject(ctx: Context, registry: ActionRegistry, asked: Input): Subject {
  const { source = '', action: name = '', account = null, caller } = asked;
  // A question about another kind of caller uses only the workspace's own rules.
  const by = { account, ...(caller ? { caller, ownRules: [] } : readActor(ctx.caller)) };
  if (name === 'read') return buildReadSubject(source, by);
  const action = registry.find(source, name);
  if (!action) {
    const known = registry.all().map((each) => `${each.source}/${each.name}`);
    throw new AppError(
      'invalid_input',
      `action: give draft_id, or source and action. Known: ${known.join(', ')}, and read.`,
    );
  }
  if (asked.input) {
    const { otherNames: _unasked, ...subject } = buildSubjectAsWritten(
      action,
      parsePayload(action, asked.input, ctx.face),
      by,
      null,
    );
    return subject;
  }
  const { recipients = [], target: what = '' } = asked;
  return { ...readActionKind(action), ...by, recipients, what };
}
