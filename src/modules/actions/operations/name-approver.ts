import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { findPersonByEmail } from '#modules/accounts';
import type { ActionRegistry } from '#modules/policy';
import type { Jobs } from '#platform/jobs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { endJob } from '../approvers/end-in-time.ts';
import { delegationOutput, presentApprover } from '../approvers/present.ts';
import { approverChanged } from '../events.ts';
import {
  lockApproverDelegations,
  lockPersonDelegations,
  insertDelegation,
  listActiveDelegations,
  setUntil,
  type Delegation,
} from '../store/approvers.ts';

const mostApprovers = 50;
/** How many people may delegate to one person: every list of drafts checks all these delegations. */
const mostNamedBy = 100;
const names = z.array(z.string().min(1).max(100)).min(1).max(50).optional();

const input = z.strictObject({
  email: z.email().max(320).describe('The address of a person in the workspace.'),
  sources: names.describe('Only drafts for these sources, such as gmail. Default: all.'),
  actions: names.describe('Only drafts of these actions, such as send_email. Default: all.'),
  until: z.iso.datetime().optional().describe('When the delegation expires. Default: never.'),
});
type Input = z.output<typeof input>;

export function createNameApprover({ registry, jobs }: { registry: ActionRegistry; jobs: Jobs }) {
  return defineOperation({
    name: 'name_approver',
    summary:
      'Add a delegate: a person of the workspace who may decide about your drafts, too. Add them again to change the expiry.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    access: { scope: 'approvers:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/approvers' }],
    input,
    output: delegationOutput,
    errors: ['forbidden', 'not_found', 'conflict', 'invalid_input'],
    examples: [
      { title: 'Only mails, while I am away', input: { email: 'colleague@example.com', sources: ['gmail'] } },
      { title: 'Everything', input: { email: 'colleague@example.com' } },
    ],
    async run(ctx, asked) {
      const until = asked.until === undefined ? null : new Date(asked.until);
      checkNames(registry, asked);
      if (until && until <= ctx.now) throw new AppError('invalid_input', 'until: this time is in the past.');
      const { id: namingId, approverId } = await storeDelegation(ctx, asked, until);
      if (until) {
        const ending = { workspaceId: ctx.caller.workspaceId, namingId };
        await jobs.enqueue(ctx.db, endJob, ending, { at: new Date(until.getTime() + 1_000) });
      }
      for (const personId of [ctx.caller.personId, approverId])
        await ctx.emit(approverChanged({ approver_id: namingId }, { personId }));
      const [delegation] = await listActiveDelegations(ctx.db, { id: namingId }, ctx.now);
      if (!delegation) throw new Error('a new delegation is active');
      return presentApprover(delegation);
    },
  });
}

/** Stores the delegation, or changes the expiry of an equal one that is active. */
async function storeDelegation(
  { db, caller, now, newId }: Context,
  asked: Input,
  until: Date | null,
): Promise<{ id: string; approverId: string }> {
  const person = await findPersonByEmail(db, asked.email);
  if (!person) throw createNotHereError(asked.email);
  if (person.id === caller.personId)
    throw new AppError('invalid_input', 'email: this is your own address. You may decide your drafts already.');
  const [sources, actions] = [sortNames(asked.sources), sortNames(asked.actions)];
  await lockPersonDelegations(db, caller.personId);
  const named = await listActiveDelegations(db, { personId: caller.personId }, now);
  const isEqual = (each: Delegation) =>
    each.approver_id === person.id &&
    isDeepStrictEqual([sortNames(each.sources), sortNames(each.actions)], [sources, actions]);
  const before = named.find(isEqual);
  if (before) await setUntil(db, before.id, until);
  else if (named.length >= mostApprovers)
    throw new AppError('conflict', `You already have ${mostApprovers} delegates. Withdraw one first.`);
  else await checkRoom(db, person, { by: caller.personId, at: now });
  const id = before?.id ?? newId();
  const row = { id, workspace_id: caller.workspaceId, person_id: caller.personId, approver_id: person.id };
  if (!before) await insertDelegation(db, { ...row, sources, actions, until, created_at: now });
  return { id, approverId: person.id };
}

function createNotHereError(email: string): AppError {
  const message = `No person in this workspace has the address ${email}. Invite them to a brain with invite_member first.`;
  return new AppError('not_found', message);
}

/** Filters are equal regardless of order and repetitions. */
function sortNames(names: readonly string[] | null | undefined): string[] | null {
  return names ? [...new Set(names)].toSorted() : null;
}

async function checkRoom(
  db: Context['db'],
  approver: { id: string },
  { by, at }: { by: string; at: Date },
): Promise<void> {
  await lockApproverDelegations(db, approver.id);
  const delegations = await listActiveDelegations(db, { approverId: approver.id }, at);
  const others = new Set(delegations.map(({ person_id }) => person_id));
  if (others.has(by) || others.size < mostNamedBy) return;
  const message = `${mostNamedBy} people have named this delegate already, which is the limit. Name another person.`;
  throw new AppError('conflict', message);
}

/** A filter that matches nothing would make a delegation without effect. */
function checkNames(registry: ActionRegistry, { sources = [], actions = [] }: Input): void {
  const all = registry.all();
  const known = { sources: new Set(all.map(({ source }) => source)), actions: new Set(all.map((each) => each.name)) };
  const unknown = [
    ...sources.filter((each) => !known.sources.has(each)),
    ...actions.filter((each) => !known.actions.has(each)),
  ];
  if (!unknown.length) return;
  throw new AppError(
    'invalid_input',
    `There is no ${unknown.join(', ')}. Sources: ${[...known.sources].join(', ')}. get_policy lists their actions.`,
  );
}
