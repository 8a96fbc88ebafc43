import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { takeMail, type Mail } from '#platform/mail';
import { z } from 'zod';
import { makeAddressLink } from '../people/address-links.ts';
import { checkFresh } from '../sessions/human.ts';
import { withOwnIdentity } from '../sessions/own-identity.ts';
import { listProvedAddresses } from '../store/identities.ts';

const mostAddresses = 10;

/** Needs the mail server and the address of the console, so the composition root creates it. */
export function addAddress({ mail, publicUrl }: { mail: Mail | null; publicUrl: string }) {
  return defineOperation({
    name: 'add_address',
    summary: 'Add a mail address to sign in with. Thalamus mails a link to it; opening the link proves the address.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    access: { scope: 'keys:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/me/addresses' }],
    input: z.strictObject({ email: z.email('must be a mail address').max(320) }),
    output: z.object({ email: z.string(), message: z.string() }),
    errors: ['forbidden', 'conflict', 'unavailable', 'rate_limited'],
    examples: [{ title: 'Another address of yours', input: { email: 'grace@example.org' } }],
    async run(ctx, given) {
      await checkFresh(ctx);
      if (!mail) throw new AppError('unavailable', 'This server sends no mail. Set THALAMUS_MAIL_URL first.');
      const { db, caller, now: at } = ctx;
      const email = given.email.toLowerCase();
      await takeMail(db, { to: email, workspaceId: caller.workspaceId, at });
      return withOwnIdentity(ctx, async (identityId) => {
        const known = await listProvedAddresses(db, identityId);
        if (known.includes(email)) throw new AppError('conflict', 'You have proved this address already.');
        if (known.length >= mostAddresses)
          throw new AppError('conflict', `You have ${mostAddresses} addresses. Remove one first.`);
        const proving = { identityId, email, at, id: ctx.newId(), workspaceId: caller.workspaceId, publicUrl };
        return { email, url: await makeAddressLink(db, proving) };
      });
    },
    async afterCommit(_ctx, { email, url }) {
      const text = `Open this link to sign in to Thalamus with this address as well. It works once, within an hour.\n\n${url}\n\nIf you did not ask for it, do nothing.\n`;
      await mail?.send({ to: email, subject: 'Confirm your mail address', text });
      return { email, message: `A link is on its way to ${email}. Open it in this browser.` };
    },
  });
}
