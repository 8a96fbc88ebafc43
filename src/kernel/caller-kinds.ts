/** The properties of a kind of caller, the same for every call. */
export type CallerKind = {
  /**
   * The prefix of its credentials, before the underscore; null: it presents no credential, and its module makes the
   * caller.
   */
  prefix: string | null;
  /** The name of the credential in messages. */
  noun: string;
  /** Its names in the console: in the conditions of a rule, and where rules are tried. Null: the console does not offer it. */
  words: { inRules: string; asDrafter: string } | null;
  /**
   * `person`: its person, as at the console; `agent`: a program that its person let in, with its own data; `server`:
   * neither.
   */
  is: 'person' | 'agent' | 'server';
  /** The row that its id names. */
  idNames: 'session' | 'key' | 'connected_client' | 'linked_phone' | 'automation' | 'connector' | 'work';
  /** Whether it may do everything that its person may, whatever scopes it has. */
  hasAllOfPerson: boolean;
  /** Whether it calls from a browser that signed in. With a human surface it is a person at the console. */
  isInBrowser: boolean;
  /** Whether a person may be looking at the screen that makes its calls. */
  canBeHumanSurface: boolean;
  /** Whether it may be its person's own script, whose key makes keys. */
  canBeOwnScript: boolean;
  /** Whether its client can ask its person for scopes that it lacks. */
  canAskForScopes: boolean;
  /** Whether it may be given a link that signs somebody else in. */
  mayGetJoinLinks: boolean;
  /** The only operations that it may call, whatever its scopes; null: all. */
  confinedTo: readonly string[] | null;
};

/** A program that a person let in. New kinds of agents begin with this row. */
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
 * `modules/accounts/authenticate.ts`, or of `createOtherCredentials` in `ports.ts` for tokens of other modules. Code outside the kernel asks for a
 * property (`kernel/caller.ts`) and never for a kind. Limits of a single caller are fields of the caller.
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
    words: { inRules: 'keys alone, and no other agents', asDrafter: 'an agent with a key' },
    idNames: 'key',
    canBeOwnScript: true,
    mayGetJoinLinks: true,
  },
  oauth: {
    ...agent,
    prefix: 'to',
    noun: 'connected client',
    words: { inRules: 'connected clients alone', asDrafter: 'a connected client' },
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
    words: { inRules: 'automation runs alone', asDrafter: 'an automation run' },
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
    noun: 'work of the server',
    words: { inRules: 'the server itself', asDrafter: 'the server itself' },
    idNames: 'work',
  },
} as const satisfies Record<string, CallerKind>;

export type CallerKindName = keyof typeof callerKinds;

/** The names of the kinds, as in rules and answers. */
export const callerKindNames = Object.keys(callerKinds) as [CallerKindName, ...CallerKindName[]]; // an object's keys are typed as any text

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
