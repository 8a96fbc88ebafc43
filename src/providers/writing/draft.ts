// The part of a draft that is known before sending: its unique ids, and the earliest time of its effect.
import { randomUUID } from 'node:crypto';
import type { Attempt } from '#kernel/action';
import { formatMoment } from '#providers/reading';

/** Stored with the draft, so that a later look-up can use it. */
export type Draft = {
  id: string;
  /** A UUID for this draft only. */
  chosen_id: string;
  /** The same UUID in 25 letters and digits. */
  nonce: string;
  /** The effect is not older than this. */
  since: string;
  since_seconds: number;
  since_snowflake: string;
};

/** How many milliseconds the provider's clock may be behind ours. */
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
