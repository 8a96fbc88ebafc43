// Functions about people for other modules.
import { isAtConsole, type Caller } from '#kernel/caller';
import type { People } from '#modules/brains';
import { findCallerKeyId } from '../caller-key.ts';
import { joinLinkLivesMs, makeSignInLink } from '../sessions/sign-in-links.ts';
import { computeInvitedRole } from './invitations.ts';
import { countPeople, findPersonByEmail } from '../store/people.ts';

/** People for the brains module. `canMail`: whether the server mails links on request. */
export function createPeople({ publicUrl, canMail }: { publicUrl: string; canMail: boolean }): People {
  return {
    findByEmail: findPersonByEmail,
    count: countPeople,
    keyBehind: findCallerKeyId,
    signInUrl: `${publicUrl}/sign-in`,
    async joinLink(ctx, email) {
      if (canMail || !canCreateSignInLinks(ctx.caller)) return null;
      if (!isAtConsole(ctx.caller) && (await computeInvitedRole(ctx.db, email)) === 'admin') return null;
      return makeSignInLink(ctx.db, {
        id: ctx.newId(),
        workspaceId: ctx.caller.workspaceId,
        email,
        isInvitation: true,
        isHumanSurface: ctx.caller.isHumanSurface, // a session that a key opened is not a human surface
        livesMs: joinLinkLivesMs,
        publicUrl,
        at: ctx.now,
      });
    },
  };
}

/** The holder of such a link can act as its person, so only administrators of the workspace get it. */
function canCreateSignInLinks({ role, isHumanSurface, scopes }: Caller): boolean {
  return role !== 'member' && (isHumanSurface || scopes.has('sign_in_links:create'));
}
