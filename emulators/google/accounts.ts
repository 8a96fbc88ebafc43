// Everything the emulator remembers. It is plain data, so that a request can be run on a copy of it.
import { randomBytes, randomInt } from 'node:crypto';
import type { CalendarStore } from './calendar/store.ts';
import { createCalendarStore } from './calendar/store.ts';
import type { DriveStore } from './drive/store.ts';
import { createDriveStore } from './drive/store.ts';
import type { Mailbox } from './gmail/mailbox.ts';
import { createMailbox } from './gmail/mailbox.ts';
import { addClient as registerClient, createOAuthData, createRandomText } from '../kit/oauth/store.ts';
import type { AuthorizationCode, Client, ClientInput, OAuthData } from '../kit/oauth/store.ts';
import type { World as EmulatorWorld } from '../kit/wire.ts';
import { createEmptyEffects } from './ledger.ts';
import type { Effects } from './ledger.ts';

/** One Google account with its own mailbox, calendars and files. */
export type Account = {
  /** The stable subject, 21 digits. */
  id: string;
  email: string;
  name: string;
  givenName: string;
  familyName: string;
  picture: string;
  /** The Workspace domain; absent for a consumer account. */
  hostedDomain?: string;
  timeZone: string;
  mailbox: Mailbox;
  calendars: CalendarStore;
  drive: DriveStore;
};

/** What `addAccount` takes. */
export type AccountInput = { email: string; name: string; timeZone?: string; hostedDomain?: string };

/** An authorization code, with what Google's parameters asked for. */
export type GoogleCode = AuthorizationCode & { offline: boolean; forceRefreshToken: boolean; nonce?: string };

/** All state that requests change. */
export type WorldData = OAuthData<GoogleCode> & { accounts: Map<string, Account>; effects: Effects };

/** The state, and the settings that do not change. */
export type World = EmulatorWorld<WorldData> & { accessTokenSeconds: number };

/** An empty world. */
export function createWorld(settings: { now: () => Date; accessTokenSeconds: number }): World {
  return {
    url: '',
    ...settings,
    data: { ...createOAuthData<GoogleCode>(), accounts: new Map(), effects: createEmptyEffects() },
  };
}

/** Registers an account; the address must be new. */
export function addAccount(world: World, input: AccountInput): Account {
  const email = input.email.toLowerCase();
  if (world.data.accounts.has(email)) throw new Error(`There is already an account ${email}`);
  const [givenName = input.name, ...rest] = input.name.split(' ');
  const timeZone = input.timeZone ?? 'UTC';
  const account: Account = {
    id: `1${Array.from({ length: 20 }, () => randomInt(10)).join('')}`,
    email,
    name: input.name,
    givenName,
    familyName: rest.join(' '),
    picture: `https://lh3.googleusercontent.com/a/${randomBytes(9).toString('base64url')}=s96-c`,
    ...(input.hostedDomain ? { hostedDomain: input.hostedDomain } : {}),
    timeZone,
    mailbox: createMailbox(),
    calendars: createCalendarStore({ email, timeZone }),
    drive: createDriveStore(),
  };
  world.data.accounts.set(email, account);
  return account;
}

/** The account of an address, or a failure that names it: seeding an unknown account is a mistake of the test. */
export function getGoogleAccount(world: World, email: string): Account {
  const account = world.data.accounts.get(email.toLowerCase());
  if (!account) throw new Error(`There is no account ${email}`);
  return account;
}

/** Registers an OAuth client; id and secret are made when not given. */
export function addClient(world: World, input: ClientInput): Client {
  return registerClient(world.data, input, () => ({
    id: `${randomInt(1e11, 9e11)}-${randomBytes(16).toString('hex')}.apps.googleusercontent.com`,
    secret: `GOCSPX-${createRandomText(21)}`,
  }));
}
