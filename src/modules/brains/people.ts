import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';

export type Person = { id: string; name: string; email: string };

/** What brains need from the accounts module. */
export type People = {
  /** The person of the workspace who has this address. */
  findByEmail(db: Db, email: string): Promise<Person | undefined>;
  /** How many people the workspace has. */
  count(db: Db): Promise<number>;
  /**
   * A link for an invited person to join, for servers that send no mail. Null: they get the link by mail, or the caller
   * may not open sessions for others.
   */
  joinLink(ctx: Context, email: string): Promise<{ url: string; expiresAt: Date } | null>;
  /** The key with which a caller came in; null: a person signed in. */
  keyBehind(ctx: Context): Promise<string | null>;
  /** Where people sign in. */
  signInUrl: string;
};
