// The secrets of automations: variables of a person, with lower-case names; administrators may name whose.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { itemId } from '#kernel/ids';
import type { ExtraScope } from '#kernel/operation';
import { z } from 'zod';
import type { VariableTier } from '../tiers.ts';

const form = /^[a-z0-9_]+$/;

export const secretName = z.string().min(1).max(64).regex(form, 'lower-case letters, digits and _ alone');

export const ownerUserId = itemId('member').describe('Whose, for administrators of the workspace. Default: your own.');

/** Whether a variable of a person has a name that automations can use. */
export function isSecretName(name: string): boolean {
  return secretName.safeParse(name).success;
}

/** The scope that secrets of another person need beside the operation's own. */
export const ofOthers = {
  scope: 'shared_variables:write',
  when: ({ caller }, { owner_user_id: owner }) => owner !== undefined && owner !== caller.personId,
} satisfies ExtraScope<{ owner_user_id?: string | undefined }>;

/** Where the secrets of the owner stand. Throws when somebody names another person and does not administer the workspace. */
export function getSecretOwnerTier({ caller }: Context, ownerId: string | undefined): VariableTier {
  if (ownerId && ownerId !== caller.personId && caller.role === 'member') {
    throw new AppError('forbidden', 'owner_user_id: only who administers the workspace may name another person.');
  }
  return { scope: 'person', scopeId: ownerId ?? caller.personId };
}
