import type { Told } from '#kernel/event';
import { findPerson } from '#modules/accounts';
import type { Ground } from '#platform';
import type { Mail } from '#platform/mail';
import { findGrant } from './store/grants.ts';

/** Mails a person that a client of theirs lost its access. The client's own words are left out: they may be an attacker's. */
export function createTellPerson({ transactions, config }: Ground, mail: Mail) {
  return async function tellPerson(
    { connected_client_id: id }: { connected_client_id: string },
    { workspaceId }: Told,
  ) {
    const person = await transactions.run(workspaceId, 'read', async (db) => {
      const grant = await findGrant(db, id);
      return grant && findPerson(db, grant.person_id);
    });
    if (!person) return;
    const text = [
      'A token of one of your connected clients was used twice, so Thalamus disconnected that client.',
      'Either the client repeated an old request, or somebody copied its token.',
      `Connect it again if you still use it. See your clients: ${config.publicUrl}/agents`,
    ].join('\n\n');
    await mail.send({ to: person.email, subject: 'A connected client was disconnected', text });
  };
}
