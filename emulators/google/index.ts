// A strict, stateful emulator of Google's OAuth 2, Gmail, Calendar and Drive, on one origin. See README.md for the paths.
import { createFailures } from '../kit/failures.ts';
import type { Failure, FailureMatch, Failures } from '../kit/failures.ts';
import { createLedger } from '../kit/ledger.ts';
import type { LedgerEntry } from '../kit/ledger.ts';
import { loopback, revokeGrant } from '../kit/oauth/store.ts';
import type { Client } from '../kit/oauth/store.ts';
import { createQuotaMeter } from '../kit/quota.ts';
import type { Quota } from '../kit/quota.ts';
import { listen } from '../kit/server.ts';
import { getGoogleAccount, addAccount, addClient, createWorld } from './accounts.ts';
import type { Account, AccountInput, World } from './accounts.ts';
import { seedEvent } from './calendar/seed.ts';
import type { SeedEvent } from './calendar/seed.ts';
import { addCalendar } from './calendar/store.ts';
import type { Calendar, CalendarInput, StoredEvent } from './calendar/store.ts';
import { seedFile } from './drive/seed.ts';
import type { SeedFile } from './drive/seed.ts';
import type { StoredFile } from './drive/store.ts';
import { forgetHistory } from './gmail/mailbox.ts';
import type { StoredMessage } from './gmail/mailbox.ts';
import { seedMail, seedThread } from './gmail/seed.ts';
import type { SeedMail } from './gmail/seed.ts';
import { createGoogleLedger } from './ledger.ts';
import type { Ledger, SentInvitation, SentMail } from './ledger.ts';
import { approve } from './oauth/authorize.ts';
import { readScopes } from './oauth/scopes.ts';
import { issueTokens } from './oauth/tokens.ts';
import { createGoogleDialect } from './server.ts';

/** How the emulator starts. */
export type GoogleEmulatorOptions = {
  /** A free port by default. */
  port?: number;
  /** The emulator's clock. */
  now?: () => Date;
  /** 3600 by default. */
  accessTokenSeconds?: number;
  quota?: Quota;
  /** The ledger stores only requests, for mailboxes that are too large to be in memory twice. */
  forgetsAnswers?: boolean;
};

/** An account, or its address. */
export type Who = { email: string } | string;

/** A person's answer to the consent page. `only` unticks every other scope. */
export type Consent = { email: string; deny?: boolean; only?: string[] };

/** A running emulator. */
export type GoogleEmulator = {
  /** `http://127.0.0.1:<port>`, the base of every path. */
  url: string;
  /** A registered client; redirect URIs on the loopback are allowed. */
  client: Client;
  addClient(client: Partial<Client> & { redirectUris: (string | RegExp)[] }): Client;
  addAccount(account: AccountInput): Account;
  /** Answers the consent page of an authorization URL as a person would; resolves to the URL redirected to. */
  approve(authorizationUrl: string, consent: Consent): Promise<string>;
  /** Tokens without a browser, for tests that are not about signing in. */
  issueTokens(
    who: Who,
    scopes: string[],
    client?: Client,
  ): { accessToken: string; refreshToken: string; expiresAt: Date };
  /** Removes a client's access, as the person can on their account page. */
  revokeAccess(who: Who, client?: Client): void;
  seedMail(who: Who, mail: SeedMail): StoredMessage;
  seedThread(who: Who, mails: SeedMail[]): StoredMessage[];
  seedCalendar(who: Who, calendar: CalendarInput): Calendar;
  seedEvent(who: Who, event: SeedEvent): StoredEvent;
  seedFile(who: Who, file: SeedFile): StoredFile;
  /** Makes every Gmail history id handed out so far too old. */
  expireHistory(who: Who): void;
  /** Makes every Calendar sync token handed out so far invalid. */
  expireSyncTokens(who: Who): void;
  /** Sets or lifts the limit of requests per account. */
  setQuota(quota: Quota | undefined): void;
  ledger: Ledger;
  failures: Failures;
  close(): Promise<void>;
};

function getEmail(who: Who): string {
  return typeof who === 'string' ? who : who.email;
}

function expireSyncTokens(account: Account): void {
  for (const calendar of account.calendars.calendars.values()) {
    calendar.changes += 1;
    calendar.syncFloor = calendar.changes;
  }
}

function createSeeding(world: World) {
  const account = (who: Who) => getGoogleAccount(world, getEmail(who));
  return {
    seedMail: (who: Who, mail: SeedMail) => seedMail(account(who), mail, world.now()),
    seedThread: (who: Who, mails: SeedMail[]) => seedThread(account(who), mails, world.now()),
    seedCalendar: (who: Who, calendar: CalendarInput) => addCalendar(account(who).calendars, calendar),
    seedEvent: (who: Who, event: SeedEvent) => seedEvent(account(who), event, world.now()),
    seedFile: (who: Who, file: SeedFile) => seedFile(account(who), file, world.now()),
    expireHistory: (who: Who) => forgetHistory(account(who).mailbox),
    expireSyncTokens: (who: Who) => expireSyncTokens(account(who)),
  };
}

/** Starts the emulator on the loopback. It has one client and no account. */
export async function startGoogleEmulator(options: GoogleEmulatorOptions = {}): Promise<GoogleEmulator> {
  const world = createWorld({
    now: options.now ?? (() => new Date()),
    accessTokenSeconds: options.accessTokenSeconds ?? 3600,
  });
  const client = addClient(world, { redirectUris: [loopback] });
  const requests = createLedger({ forgetsAnswers: options.forgetsAnswers ?? false });
  const failures = createFailures();
  const quota = createQuotaMeter(options.quota);
  const server = await listen({
    world,
    dialect: createGoogleDialect({ world, quota }),
    ledger: requests,
    failures,
    port: options.port,
  });
  return {
    url: world.url,
    client,
    addClient: (input) => addClient(world, input),
    addAccount: (input) => addAccount(world, input),
    approve,
    issueTokens: (who, scopes, other = client) =>
      issueTokens(world, { email: getEmail(who), clientId: other.id, scopes: readScopes(scopes.join(' ')) }),
    revokeAccess: (who, other = client) => revokeGrant(world.data, getEmail(who).toLowerCase(), other.id),
    ...createSeeding(world),
    setQuota: quota.set,
    ledger: createGoogleLedger(world, requests),
    failures,
    close: server.close,
  };
}

export type {
  Account,
  AccountInput,
  Calendar,
  Client,
  Failure,
  FailureMatch,
  Failures,
  Ledger,
  LedgerEntry,
  Quota,
  SeedEvent,
  SeedFile,
  SeedMail,
  SentInvitation,
  SentMail,
  StoredEvent,
  StoredFile,
  StoredMessage,
};
