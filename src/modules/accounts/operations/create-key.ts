import type { Caller } from '#kernel/caller';
import { checkRules, type RuleNames } from '#kernel/check-rules';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { rulesSchema } from '#kernel/rule';
import { agentScopes, scopes, type Scope } from '#kernel/scopes';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { hashSecret } from '#platform/one-time-secrets';
import { checkFreshPerson } from '../sessions/human.ts';
import { findCallerKeyExpiry, findCallerKeyId } from '../caller-key.ts';
import { generateKey, getVisiblePrefix } from '../secrets.ts';
import { insertKey } from '../store/keys.ts';

const input = z.strictObject({
  label: z.string().trim().min(1).max(120).describe('What the key is for, such as «Claude on my laptop».'),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(scopes.length)
    .optional()
    .describe('Default: everything that an agent may have, which excludes approving its own drafts.'),
  home_brain_id: brainId.optional().describe('The brain that the key writes to. Default: your personal brain.'),
  reach: z
    .enum(['owner', 'brain'])
    .default('owner')
    .describe('owner: reads what you may read. brain: only the home brain and its ancestors.'),
  rules: rulesSchema
    .default([])
    .describe(
      "Rules that restrict the workspace's policy for this key, such as [{effect: 'block', actions: ['delete_event']}].",
    ),
  expires_in_days: z
    .number()
    .int()
    .min(1)
    .max(3_650)
    .optional()
    .describe('Default: never, or together with the key that creates it.'),
});

const output = z.object({
  key_id: z.uuid(),
  key: z.string(),
  label: z.string(),
  scopes: z.array(z.enum(scopes)),
  expires_at: z.iso.datetime().nullable(),
  warning: z.string(),
});

const examples: { title: string; input: z.input<typeof input> }[] = [
  { title: 'A key for an agent', input: { label: 'Claude' } },
  {
    title: 'A key that cannot write to people outside the company',
    input: {
      label: 'Support desk',
      rules: [
        { effect: 'allow', actions: ['send_email'], every_recipient: '*@example.com' },
        { effect: 'block', risks: ['write', 'destructive'] },
      ],
    },
  },
];

/** A key of one brain can read the brains above it, and could write there through a key with such a home brain. */
function checkHome({ reach, homeBrainId }: Caller, wanted: string | undefined): void {
  if (reach === 'owner' || wanted === undefined || wanted === homeBrainId) return;
  throw new AppError('forbidden', 'A key of one brain can only create keys of that brain. Leave home_brain_id out.');
}

export function createKey(names: RuleNames) {
  return defineOperation({
    name: 'create_key',
    summary: 'Create a cm_ key for an agent or a script. The key is shown once.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'keys:write', brain: { role: 'viewer', of: 'home_brain_id' } },
    rest: [{ method: 'POST', path: '/v1/keys' }],
    input,
    output,
    errors: ['forbidden', 'not_found', 'invalid_input'],
    examples,
    async run(ctx, input) {
      await checkFreshPerson(ctx);
      const granted = input.scopes ?? agentScopes;
      const missing = granted.filter((scope) => !ctx.caller.scopes.has(scope));
      if (missing.length) {
        throw new AppError('forbidden', `You cannot grant scopes you do not have: ${missing.join(', ')}.`, { missing });
      }
      checkHome(ctx.caller, input.home_brain_id);
      checkRules(input.rules, names);
      const waysOut = input.rules.length ? granted.filter((scope) => makesCredentials.includes(scope)) : [];
      if (waysOut.length) {
        throw new AppError(
          'invalid_input',
          `scopes: a key with rules cannot have ${waysOut.join(', ')}: what it makes would be bound by no rules.`,
        );
      }
      const key = generateKey();
      const expiresAt = getEarlier(computeExpiry(input.expires_in_days, ctx.now), await findCallerKeyExpiry(ctx));
      const id = ctx.newId();
      await insertKey(ctx.db, {
        id,
        workspaceId: ctx.caller.workspaceId,
        personId: ctx.caller.personId,
        label: input.label,
        prefix: getVisiblePrefix(key),
        keyHash: hashSecret(key),
        scopes: [...granted],
        homeBrainId: input.home_brain_id ?? (await ctx.brains()).homeBrainId,
        reach: ctx.caller.reach === 'brain' ? 'brain' : input.reach,
        rules: input.rules,
        expiresAt,
        madeByKey: await findCallerKeyId(ctx),
        at: ctx.now,
      });
      return {
        key_id: id,
        key,
        label: input.label,
        scopes: [...granted],
        expires_at: expiresAt?.toISOString() ?? null,
        warning: 'Copy the key now: it is not stored and cannot be shown again.',
      };
    },
  });
}

/** With these scopes a key creates keys and sessions. */
const makesCredentials: readonly Scope[] = ['keys:write', 'sign_in_links:create'];

function computeExpiry(days: number | undefined, now: Date): Date | null {
  return days ? new Date(now.getTime() + days * 86_400_000) : null;
}

function getEarlier(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}
