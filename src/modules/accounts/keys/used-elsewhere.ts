// Mails about a key or a client that is used from a network for the first time: it may have been copied.
import type { EmittedEvent } from '#kernel/event';
import { toPrintableInMail } from '#kernel/printable';
import type { Ground } from '#platform';
import type { Mail } from '#platform/mail';
import { findKey, listKeyNetworks } from '../store/keys.ts';
import { findPerson } from '../store/people.ts';

const dayMs = 86_400_000;

/** A network, and when it was first used. */
type NetworkUse = { place: string; first_used_at: Date };

/**
 * Whether a new network causes a mail. A travelling person gets at most one mail a day about a credential; the list of
 * agents shows all networks. The first network of a credential causes none.
 */
export function isToBeMailed(places: readonly NetworkUse[], place: string): boolean {
  const at = places.find((each) => each.place === place)?.first_used_at;
  if (!at) return false;
  const before = places.filter(({ first_used_at }) => first_used_at < at);
  const first = before.toSorted((one, other) => one.first_used_at.getTime() - other.first_used_at.getTime())[0];
  return before.every((each) => each === first || at.getTime() - each.first_used_at.getTime() > dayMs);
}

/** The mail about it. `what` contains only text of this server or of the person. */
export function buildUsedElsewhereMail(mailed: {
  to: string;
  what: string;
  place: string;
  verb: string;
  publicUrl: string;
}) {
  const { to, what, place, verb, publicUrl } = mailed;
  const text = [
    `${what} was used from the network ${place} for the first time.`,
    'If you moved it to another computer, or your network changed, you can ignore this mail.',
    `If not, somebody may have copied it. ${verb} it: ${publicUrl}/agents`,
  ].join('\n\n');
  return { to, subject: 'An agent was used from a new network', text };
}

/** Mails the person of a key. */
export function createNotifyKeyUse({ transactions, config }: Ground, mail: Mail) {
  return async function tellOfKey(
    { key_id: id, place }: { key_id: string; label: string; place: string },
    { workspaceId }: EmittedEvent,
  ): Promise<void> {
    const found = await transactions.run(workspaceId, 'read', async (db) => {
      const key = await findKey(db, id);
      if (!key || !isToBeMailed(await listKeyNetworks(db, [id]), place)) return undefined;
      const person = await findPerson(db, key.person_id);
      return person && { to: person.email, what: `Your key “${toPrintableInMail(key.label)}” (${key.prefix}…)` };
    });
    if (found)
      await mail.send(buildUsedElsewhereMail({ ...found, place, verb: 'Revoke', publicUrl: config.publicUrl }));
  };
}
