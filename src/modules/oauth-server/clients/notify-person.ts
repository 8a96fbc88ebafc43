// Mails to the person of a connected client. The client's own words are left out: they may be an attacker's.
import type { Db } from '#kernel/database';
import type { EmittedEvent } from '#kernel/event';
import { findPerson, isToBeMailed, buildUsedElsewhereMail } from '#modules/accounts';
import type { Ground } from '#platform';
import type { Mail } from '#platform/mail';
import { findGrant, listGrantNetworks } from '../store/grants.ts';

/** Mails a person that one of their clients lost its access. */
export function createNotifyDisconnected({ transactions, config }: Ground, mail: Mail) {
  return async function tellDisconnected(
    { connected_client_id: id }: { connected_client_id: string },
    { workspaceId }: EmittedEvent,
  ): Promise<void> {
    const found = await transactions.run(workspaceId, 'read', (db) => findAddressee(db, id));
    if (!found) return;
    const text = [
      'A token of one of your connected clients was used twice, so Thalamus disconnected that client.',
      'Either the client repeated an old request, or somebody copied its token.',
      `Connect it again if you still use it. See your clients: ${config.publicUrl}/agents`,
    ].join('\n\n');
    await mail.send({ to: found.to, subject: 'A connected client was disconnected', text });
  };
}

/**
 * Mails a person that one of their programs is used from a new network. A hosted service is left out, because its own
 * networks change.
 */
export function createNotifyClientUse({ transactions, config }: Ground, mail: Mail) {
  return async function tellOfClient(
    { connected_client_id: id, place }: { connected_client_id: string; place: string },
    { workspaceId }: EmittedEvent,
  ): Promise<void> {
    const found = await transactions.run(workspaceId, 'read', async (db) => {
      const addressee = await findAddressee(db, id);
      const isNews = addressee?.clientHost === null && isToBeMailed(await listGrantNetworks(db, [id]), place);
      return isNews ? addressee : undefined;
    });
    if (!found) return;
    const what = `A client that you connected on ${found.since}`;
    const mailed = { to: found.to, what, place, verb: 'Disconnect', publicUrl: config.publicUrl };
    await mail.send(buildUsedElsewhereMail(mailed));
  };
}

async function findAddressee(db: Db, grantId: string) {
  const grant = await findGrant(db, grantId);
  const person = grant && (await findPerson(db, grant.person_id));
  if (!person) return undefined;
  return { to: person.email, clientHost: grant.client_host, since: grant.created_at.toISOString().slice(0, 10) };
}
