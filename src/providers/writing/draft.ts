// The part of a draft that is known before sending: its unique names, and the earliest time of its effect.
import { randomUUID } from 'node:crypto';
import type { Attempt } from '#kernel/action';
import { formatMoment } from '#providers/reading';

/** Stored with the draft, so that a look-up can use it afterwards. */
export type Draft = {
  id: string;
  /** A UUID for this draft only. */
  chosen_id: string;
  /** The same in 25 letters and digits. */
  nonce: string;
  /** Its effect is not older. */
  since: string;
  since_seconds: number;
  since_snowflake: string;
};

/** The provider's clock may be behind ours by so much. */
const clockMarginMs = 5 * 60_000;

export function createDraft({ draftId }: Pick<Attempt, 'draftId'>): Draft {
  const since = new Date(Date.now() - clockMarginMs);
  const chosenId = randomUUID();
  return {
    id: draftId,
    chosen_id: chosenId,
    nonce: BigInt(`0x${chosenId.replaceAll('-', '')}`).toString(36),
    since: since.toISOString(),
    since_seconds: Math.floor(since.getTime() / 1000),
    since_snowflake: formatMoment(since.getTime(), 'snowflake'),
  };
}
