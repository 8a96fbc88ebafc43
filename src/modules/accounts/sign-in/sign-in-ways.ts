// The dependencies of all ways to sign in.
import type { Transactions } from '#kernel/database';
import type { EmitEvent } from '#kernel/event';
import type { Jobs } from '#platform/jobs';
import type { Mail } from '#platform/mail';
import type { Vault } from '#platform/vault';
import type { Kysely } from 'kysely';
import type { EndPerson } from '../people/end-membership.ts';
import type { EnterDeps } from './enter.ts';
import { maySignUp, type SignUp } from './sign-up.ts';

export type SignInOptions = {
  db: Kysely<unknown>;
  transactions: Transactions;
  vault: Vault;
  mail: Mail | null;
  signUp: SignUp;
  /** Mails are sent by jobs, so that no request is lost. */
  jobs: Jobs;
  publicUrl: string;
  emitEvent: EmitEvent;
  ends: readonly EndPerson[];
  now: () => Date;
  newId: () => string;
};

/** Where somebody signs in, and from which machine. */
export type SignInVisit = {
  /** The workspace to enter; default: the last one used. */
  workspaceId?: string | undefined;
  userAgent: string | null;
  /** The network address of their machine, for which attempts are counted. */
  client: string;
};

export function buildEnterDeps({ signUp, emitEvent, ends, now, newId }: SignInOptions): EnterDeps {
  return { maySignUp: (email) => maySignUp(signUp, email), at: now(), newId, emitEvent, ends };
}
