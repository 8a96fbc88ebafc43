// A strict, stateful emulator of Google's OAuth 2, Gmail, Calendar and Drive, on one origin. See README.md for the paths.
import type { AddressInfo } from 'node:net';
import { accountOf, addAccount, addClient, createWorld } from './accounts.ts';
import type { Account, AccountInput, Client, World } from './accounts.ts';
import { seedEvent } from './calendar/seed.ts';
import type { SeedEvent } from './calendar/seed.ts';
import { addCalendar } from './calendar/store.ts';
import type { Calendar, CalendarInput, StoredEvent } from './calendar/store.ts';
import { seedFile } from './drive/seed.ts';
import type { SeedFile } from './drive/seed.ts';
import type { StoredFile } from './drive/store.ts';
import { createFailures } from './failures.ts';
import type { Failure, FailureMatch, Failures } from './failures.ts';
import { forgetHistory } from './gmail/mailbox.ts';
import type { StoredMessage } from './gmail/mailbox.ts';
import { seedMail, seedThread } from './gmail/seed.ts';
import type { SeedMail } from './gmail/seed.ts';
import { createLedger } from './ledger.ts';
import type { Ledger, LedgerEntry, SentInvitation, SentMail } from './ledger.ts';
import { isIdentityScope, readScopes } from './oauth/scopes.ts';
import { issueTokens, revokeGrant } from './oauth/tokens.ts';
import { createQuotaMeter } from './quota.ts';
import type { Quota } from './quota.ts';
import { createGoogleServer } from './server.ts';

/** How the emulator starts. */
export type GoogleEmulatorOptions = {
  /** A free port by default. */
  port?: number;
  /** The emulator's clock. */
  now?: () => Date;
  /** 3600 by default. */
  accessTokenSeconds?: number;
  quota?: Quota;
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

function emailOf(who: Who): string {
  return typeof who === 'string' ? who : who.email;
}

async function approve(url: string, consent: Consent): Promise<string> {
  const target = new URL(url);
  const page = await fetch(target, { redirect: 'manual' });
  const answered = page.headers.get('location');
  if (answered) return answered;
  if (page.status !== 200) throw new Error(`The consent page answered ${page.status}: ${await page.text()}`);
  const scopes = readScopes(target.searchParams.get('scope') ?? '');
  const wanted = consent.only && readScopes(consent.only.join(' '));
  const form = new URLSearchParams({
    request: target.searchParams.toString(),
    email: consent.email,
    decision: consent.deny ? 'deny' : 'allow',
  });
  for (const scope of scopes)
    if (!wanted || wanted.includes(scope) || isIdentityScope(scope)) form.append('granted', scope);
  const response = await fetch(new URL('/o/oauth2/v2/auth/callback', target), {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const location = response.headers.get('location');
  if (!location) throw new Error(`The consent form answered ${response.status}: ${await response.text()}`);
  return location;
}

function expireSyncTokens(account: Account): void {
  for (const calendar of account.calendars.calendars.values()) {
    calendar.changes += 1;
    calendar.syncFloor = calendar.changes;
  }
}

function seeding(world: World) {
  const account = (who: Who) => accountOf(world, emailOf(who));
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
  const client = addClient(world, { redirectUris: [/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\//] });
  const ledger = createLedger();
  const failures = createFailures();
  const quota = createQuotaMeter(options.quota);
  const server = createGoogleServer({ world, ledger, failures, quota });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  // A listening TCP server has an address with a port.
  world.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: world.url,
    client,
    addClient: (input) => addClient(world, input),
    addAccount: (input) => addAccount(world, input),
    approve,
    issueTokens: (who, scopes, other = client) =>
      issueTokens(world, { email: emailOf(who), clientId: other.id, scopes: readScopes(scopes.join(' ')) }),
    revokeAccess: (who, other = client) => revokeGrant(world, emailOf(who).toLowerCase(), other.id),
    ...seeding(world),
    setQuota: quota.set,
    ledger,
    failures,
    async close() {
      failures.clear();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
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
