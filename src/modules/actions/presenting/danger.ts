// Why a draft needs a second look: reasons as data, for every face where a person can decide.
import type { Action } from '#kernel/action';
import { many } from '#modules/policy';
import { z } from 'zod';
import type { DraftRow } from '../store/drafts.ts';

export const dangerOutput = z
  .array(
    z.object({
      kind: z.enum(['deletes', 'shares', 'may_destroy', 'many_recipients', 'new_recipients']),
      says: z.string(),
      people: z.number().int().describe('How many people it concerns.'),
    }),
  )
  .describe('Why it needs a second look: it deletes or shares something, or reaches many people or new external ones.');

type Danger = z.input<typeof dangerOutput>[number];

/** For destructive actions: what they destroy, by the beginning of their name; the last entry matches all. */
const destructiveKinds: readonly (readonly [string[], Danger['kind'], string])[] = [
  [['delete', 'trash', 'remove', 'send_delete'], 'deletes', 'It deletes something.'],
  [['share'], 'shares', 'It changes who has access.'],
  [[''], 'may_destroy', 'It may delete something, or change who has access.'],
];

/** The same in one line of our own words, for mails, phones and clients; null: it needs no second look. */
export function formatDangerLine(
  draft: Pick<DraftRow, 'action' | 'status' | 'reached' | 'newly_reached' | 'is_destructive'>,
) {
  const { action: name, is_destructive: destroys = null } = draft;
  // For an older draft the name of its action decides.
  const isDestructive = destroys ?? destructiveKinds.some(([[first = '']]) => first !== '' && name.startsWith(first));
  const dangers = listDangers({ name, risk: isDestructive ? 'destructive' : 'write' }, draft);
  if (!dangers.length) return null;
  const says = dangers.map((danger) =>
    danger.kind === 'new_recipients' ? formatNewPeople(danger.people) : danger.says,
  );
  return `Take care. ${says.join(' ')}`;
}

/** Without the addresses, because others chose their text. */
function formatNewPeople(count: number): string {
  return `It is the first to ${count === 1 ? 'somebody' : `${count} people`} outside.`;
}

/** The reasons of a pending draft; none for one that needs no second look. */
export function listDangers(
  { name, risk }: Pick<Action, 'name' | 'risk'>,
  { status, reached, newly_reached: fresh }: Pick<DraftRow, 'status' | 'reached' | 'newly_reached'>,
): Danger[] {
  if (status !== 'pending') return [];
  const dangers: Danger[] = [];
  const [, kind, says] =
    destructiveKinds.find(([beginnings]) => beginnings.some((each) => name.startsWith(each))) ?? [];
  if (risk === 'destructive' && kind && says) dangers.push({ kind, says, people: reached.length });
  if (reached.length > many)
    dangers.push({ kind: 'many_recipients', says: `It reaches ${reached.length} people.`, people: reached.length });
  if (fresh.length && risk !== 'destructive')
    dangers.push({ kind: 'new_recipients', says: `First time to ${formatFewAddresses(fresh)}.`, people: fresh.length });
  return dangers;
}

function formatFewAddresses(addresses: readonly string[]): string {
  const [first = '', second = '', ...rest] = addresses;
  if (!second) return first;
  return rest.length ? `${first}, ${second} and ${rest.length} more` : `${first} and ${second}`;
}
