import { callerKindNames } from '#kernel/caller-kinds';
import type { Context } from '#kernel/context';
import { defineOperation } from '#kernel/operation';
import { ruleSchema } from '#kernel/rule';
import { scopes } from '#kernel/scopes';
import { z } from 'zod';
import { findPerson, createPersonRemovedError } from '../store/people.ts';
import { findWorkspaceName } from '../store/workspaces.ts';

const definition = {
  summary: 'Show which person, workspace and permissions this key or session stands for.',
  effect: 'read',
  access: { scope: 'brains:read' },
  input: z.strictObject({}),
  output: z.object({
    caller: z.object({
      kind: z.enum(callerKindNames),
      label: z.string(),
      is_human_surface: z.boolean(),
    }),
    person: z.object({ id: z.uuid(), name: z.string(), email: z.string(), role: z.enum(['owner', 'admin', 'member']) }),
    workspace: z.object({ id: z.uuid(), name: z.string() }),
    home_brain_id: z.uuid(),
    reach: z.enum(['owner', 'brain']),
    scopes: z.array(z.enum(scopes)),
    rules: z.array(ruleSchema).describe("Rules that restrict the workspace's policy for this key."),
  }),
  errors: [],
  examples: [{ title: 'Who is asking?', input: {} }],
  async run(ctx: Context) {
    const { caller } = ctx;
    const person = await findPerson(ctx.db, caller.personId);
    if (!person) throw createPersonRemovedError();
    return {
      caller: { kind: caller.kind, label: caller.label, is_human_surface: caller.isHumanSurface },
      person,
      workspace: { id: caller.workspaceId, name: await findWorkspaceName(ctx.db, caller.workspaceId) },
      home_brain_id: caller.homeBrainId,
      reach: caller.reach,
      scopes: [...caller.scopes],
      rules: [...caller.ownRules],
    };
  },
} as const;

export const whoAmI = defineOperation({
  ...definition,
  name: 'who_am_i',
  toolset: 'accounts',
  rest: [{ method: 'GET', path: '/v1/me' }],
});

/** The same operation, under the name that clients of other systems call. */
export const whoami = defineOperation({ ...definition, name: 'whoami', toolset: 'accounts' });
