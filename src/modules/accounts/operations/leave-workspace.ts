import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { endMembership, type EndPerson } from '../people/end-membership.ts';
import { checkHuman } from '../sessions/human.ts';
import { checkNotOwner } from '../people/roles.ts';
import { findOwner, findPerson, createPersonRemovedError } from '../store/people.ts';
import { lockPeople } from '../store/workspaces.ts';

export const leaveWorkspace = (ends: readonly EndPerson[]) =>
  defineOperation({
    name: 'leave_workspace',
    summary:
      "Leave the workspace. Your sessions and keys there end, and brains that you own go to the workspace's owner.",
    toolset: 'accounts',
    effect: 'write',
    isDestructive: true,
    access: { scope: 'sign_in_links:create', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/workspace/leave' }],
    input: z.strictObject({}),
    output: z.object({ left: z.literal(true), workspace_id: z.uuid() }),
    errors: ['forbidden', 'conflict'],
    examples: [{ title: 'I am done here', input: {} }],
    async run(ctx) {
      checkHuman(ctx);
      await lockPeople(ctx.db);
      const [person, owner] = [await findPerson(ctx.db, ctx.caller.personId), await findOwner(ctx.db)];
      if (!person || !owner) throw createPersonRemovedError();
      checkNotOwner(person);
      await endMembership(ctx, { personId: person.id, heirId: owner.id, ends });
      return { left: true as const, workspace_id: ctx.caller.workspaceId };
    },
  });
