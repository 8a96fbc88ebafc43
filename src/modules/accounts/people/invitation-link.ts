// How an invited person receives the invitation: by mail, or by a link that the inviter passes on.
import { isAtConsole, mayGetJoinLinks } from '#kernel/caller';
import type { AfterCommitContext, Context } from '#kernel/context';
import { toPrintableInMail } from '#kernel/printable';
import { takeMail, type Mail } from '#platform/mail';
import { z } from 'zod';
import { joinLinkLivesMs, makeSignInLink } from '../sessions/sign-in-links.ts';
import { computeInvitedRole } from './invitations.ts';
import { findPerson } from '../store/people.ts';
import { findWorkspaceName } from '../store/workspaces.ts';

export type InvitationDeps = { mail: Mail | null; publicUrl: string };

/** What an invitation returns, in addition to the invitation itself. */
export const joinLinkOutput = {
  mailed: z.boolean().describe('Whether a mail with the link is on its way to the person.'),
  join_link: z
    .object({ url: z.string(), expires_at: z.iso.datetime(), single_use: z.literal(true) })
    .nullable()
    .describe(
      'A link to pass on, if no mail was sent. It joins as this person. A connected client never gets a link; only a person at the console gets one for an admin.',
    ),
  message: z.string(),
};

/**
 * Counts the mail of an invitation, if there is one. Throws `rate_limited`: anybody may be invited, but nobody flooded.
 */
export async function countInvitationMail(
  { db, caller, now }: Context,
  { mail }: InvitationDeps,
  email: string,
): Promise<void> {
  if (mail) await takeMail(db, { to: email, workspaceId: caller.workspaceId, at: now });
}

/**
 * Mails the link of an invitation. Without a mail server, or when the mail is refused, returns the link instead. The
 * link then proves no address, and opens a human surface only if a person at the console requested it.
 */
export async function sendInvitation(ctx: AfterCommitContext, { mail, publicUrl }: InvitationDeps, email: string) {
  const { workspaceId, personId, isHumanSurface } = ctx.caller;
  const make = (mailed: boolean) =>
    ctx.transact(async ({ db, now: at, newId }) => {
      const link = {
        id: newId(),
        workspaceId,
        email,
        mailed,
        isInvitation: true,
        isHumanSurface: mailed || isHumanSurface,
      };
      const made = await makeSignInLink(db, { ...link, livesMs: joinLinkLivesMs, publicUrl, at });
      const inviter = await findPerson(db, personId);
      const workspace = toPrintableInMail(await findWorkspaceName(db, workspaceId));
      return { ...made, workspace, inviter: toPrintableInMail(inviter?.name ?? 'Somebody') };
    });
  if (mail) {
    const { url, workspace, inviter } = await make(true);
    const text = `${inviter} invited you to the workspace ${workspace} on Thalamus. Open this link to join. It works once, within 3 days.\n\n${url}\n`;
    const isTaken = await mail.send({ to: email, subject: `Join ${workspace} on Thalamus`, text }).then(
      () => true,
      () => false,
    );
    if (isTaken) return { mailed: true, join_link: null, message: 'A mail with the link is on its way to them.' };
  }
  const why = mail ? 'The mail server did not accept the mail.' : 'This server sends no mail.';
  // Its holder can act as this person, even in ways that no client is ever allowed.
  const isOfAdmin = (await ctx.transact(({ db }) => computeInvitedRole(db, email))) === 'admin';
  if (!mayGetJoinLinks(ctx.caller) || (isOfAdmin && !isAtConsole(ctx.caller)))
    return { mailed: false, join_link: null, message: `${why} Resend the invitation under People to get a link.` };
  const { url, expiresAt } = await make(false);
  return {
    mailed: false,
    join_link: { url, expires_at: expiresAt.toISOString(), single_use: true as const },
    message: `${why} Give them the link. It joins as this person, so give it to nobody else.`,
  };
}
