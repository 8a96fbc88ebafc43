import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';

export type Person = { id: string; name: string; email: string };

/** What brains need to know of people, whom another module keeps. */
export type People = {
  /** The person of the workspace who has this address. */
  findByEmail(db: Db, email: string): Promise<Person | undefined>;
  /** How many people the workspace has. */
  count(db: Db): Promise<number>;
  /**
   * A link by which somebody who was invited joins, to be handed over where no mail is sent. Null when they get one by
   * mail, or when the caller may not open sessions for others.
   */
  joinLink(ctx: Context, email: string): Promise<{ url: string; expiresAt: Date } | null>;
  /** Where people sign in. */
  signInUrl: string;
};
