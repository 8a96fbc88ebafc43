import type { SecretPrefix } from './secret-prefixes.ts';

/** The properties of a kind of caller, the same for every call. */
export type CallerKind = {
  /**
   * The prefix of its credentials, before the underscore; null: it presents no credential, and a module creates the
   * caller.
   */
  prefix: SecretPrefix | null;
  /** The name of the credential in messages. */
  noun: string;
  /**
   * Its names in the console, for the conditions of a rule and for trying rules. Null: the console does not offer it.
   */
  words: { inRules: string; asDrafter: string } | null;
  /**
   * `person`: its person, as at the console; `agent`: a program that its person admitted, with its own data; `server`:
   * neither.
   */
  is: 'person' | 'agent' | 'server';
  /** The table whose row its id names. */
  idNames: 'session' | 'key' | 'connected_client' | 'linked_phone' | 'automation' | 'connector' | 'work';
  /** Whether it may do everything that its person may, regardless of its scopes. */
  hasAllOfPerson: boolean;
  /** Whether it calls from a browser that signed in. With a human surface it is a person at the console. */
  isInBrowser: boolean;
  /** Whether a person may be looking at the screen that makes its calls. */
  canBeHumanSurface: boolean;
  /** Whether it may be its person's own script: such a key may create keys. */
  canBeOwnScript: boolean;
  /** Whether its client can ask its person for scopes that it lacks. */
  canAskForScopes: boolean;
  /** Whether it may request a link that signs in somebody else. */
  mayGetJoinLinks: boolean;
  /** The only operations that it may call, whatever its scopes; null: all. */
  confinedTo: readonly string[] | null;
};

/** A program that a person admitted. New kinds of agents start from this row. */
const agent = {
  is: 'agent',
  hasAllOfPerson: false,
  isInBrowser: false,
  canBeHumanSurface: false,
  canBeOwnScript: false,
  canAskForScopes: false,
  mayGetJoinLinks: false,
  confinedTo: null,
} as const;

/** Neither a person nor an agent: the server, or a system that sends to it. */
const server = { ...agent, is: 'server' } as const;

/**
 * Every kind of caller. A new kind is a line here and, if it presents a credential, a line of `ownCredentials` in
 * `modules/accounts/authenticate.ts`, or of `createOtherCredentials` in `ports.ts` for tokens of other modules. Code
 * outside the kernel reads a property (`kernel/caller.ts`) and never tests for a kind. Limits of a single caller are
 * fields of the caller.
 */
export const callerKinds = {
  session: {
    ...agent,
    prefix: 'ts',
    noun: 'session',
    words: { inRules: 'people in the console', asDrafter: 'a person in the console' },
    is: 'person',
    idNames: 'session',
    hasAllOfPerson: true,
    isInBrowser: true,
    canBeHumanSurface: true,
    mayGetJoinLinks: true,
  },
  key: {
    ...agent,
    prefix: 'cm',
    noun: 'key',
    words: { inRules: 'keys only, and no other agents', asDrafter: 'an agent with a key' },
    idNames: 'key',
    canBeOwnScript: true,
    mayGetJoinLinks: true,
  },
  oauth: {
    ...agent,
    prefix: 'to',
    noun: 'connected client',
    words: { inRules: 'connected clients only', asDrafter: 'a connected client' },
    idNames: 'connected_client',
    canAskForScopes: true,
  },
  telegram: {
    ...agent,
    prefix: null,
    noun: 'phone',
    words: { inRules: 'people on Telegram', asDrafter: 'a person on Telegram' },
    is: 'person',
    idNames: 'linked_phone',
    canBeHumanSurface: true,
  },
  run: {
    ...agent,
    prefix: null,
    noun: 'automation run',
    words: { inRules: 'automation runs only', asDrafter: 'an automation run' },
    idNames: 'automation',
  },
  webhook: {
    ...server,
    prefix: 'zwh',
    noun: 'webhook token',
    words: null,
    idNames: 'connector',
    confinedTo: ['ingest'],
  },
  system: {
    ...server,
    prefix: null,
    noun: 'background work of the server',
    words: { inRules: 'the server itself', asDrafter: 'the server itself' },
    idNames: 'work',
  },
} as const satisfies Record<string, CallerKind>;

export type CallerKindName = keyof typeof callerKinds;

/** The names of the kinds, as in rules and answers. */
export const callerKindNames = Object.keys(callerKinds) as [CallerKindName, ...CallerKindName[]]; // TypeScript types the keys of an object as any string

/** The properties of a kind. */
export function getCallerKind(name: CallerKindName): CallerKind {
  return callerKinds[name];
}

/**
 * Whether a caller of this kind may call an operation; without an operation: whether it may use anything besides
 * operations.
 */
export function isConfined(kind: CallerKindName, operation?: string): boolean {
  const { confinedTo } = getCallerKind(kind);
  return confinedTo !== null && (operation === undefined || !confinedTo.includes(operation));
}
