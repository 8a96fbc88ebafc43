// What other modules need of people.
import type { Caller } from '#kernel/caller';
import type { People } from '#modules/brains';
import { joinLinkLivesMs, makeSignInLink } from './sign-in-links.ts';
import { countPeople, findPersonByEmail } from './store/people.ts';

/** People as brains know them. `canMail` says whether the server mails links to who asks for one. */
export function createPeople({ publicUrl, canMail }: { publicUrl: string; canMail: boolean }): People {
  return {
    findByEmail: findPersonByEmail,
    count: countPeople,
    signInUrl: `${publicUrl}/sign-in`,
    async joinLink(ctx, email) {
      if (canMail || !mayLetIn(ctx.caller)) return null;
      return makeSignInLink(ctx.db, {
        id: ctx.newId(),
        workspaceId: ctx.caller.workspaceId,
        email,
        isHumanSurface: ctx.caller.isHumanSurface, // what a key opens is no human surface
        livesMs: joinLinkLivesMs,
        publicUrl,
        at: ctx.now,
      });
    },
  };
}

/** Whoever holds such a link can be the person it is for, so it is for those who administer the workspace. */
function mayLetIn({ role, isHumanSurface, scopes }: Caller): boolean {
  return role !== 'member' && (isHumanSurface || scopes.has('sign_in_links:create'));
}
