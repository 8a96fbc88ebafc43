// The secrets of automations: variables of a person, with lower-case names. Administrators may name another person.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { itemId } from '#kernel/ids';
import type { ExtraScope } from '#kernel/operation';
import { z } from 'zod';
import type { VariableTier } from '../tiers.ts';

const form = /^[a-z0-9_]+$/;

export const secretName = z.string().min(1).max(64).regex(form, 'only lower-case letters, digits and _');

export const ownerUserId = itemId('member').describe('The owner, for administrators of the workspace. Default: you.');

/** Whether a variable of a person has a name that automations can use. */
export function isSecretName(name: string): boolean {
  return secretName.safeParse(name).success;
}

/** The scope that secrets of another person need in addition to the operation's own. */
export const ofOthers = {
  scope: 'shared_variables:write',
  when: ({ caller }, { owner_user_id: owner }) => owner !== undefined && owner !== caller.personId,
} satisfies ExtraScope<{ owner_user_id?: string | undefined }>;

/** The tier of the owner's secrets. Throws when somebody names another person without administering the workspace. */
export function getSecretOwnerTier({ caller }: Context, ownerId: string | undefined): VariableTier {
  if (ownerId && ownerId !== caller.personId && caller.role === 'member') {
    throw new AppError('forbidden', 'owner_user_id: only administrators of the workspace may name another person.');
  }
  return { scope: 'person', scopeId: ownerId ?? caller.personId };
}
