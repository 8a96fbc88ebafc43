/** The properties of a kind of caller, the same for every call. */
export type CallerKind = {
  /**
   * The prefix of its credentials, before the underscore; null: it presents no credential, and its module makes the
   * caller.
   */
  prefix: string | null;
  /** The name of the credential in messages. */
  noun: string;
  /**
   * `person`: its person, as at the console; `agent`: a program that its person let in, with its own data; `server`:
   * neither.
   */
  is: 'person' | 'agent' | 'server';
  /** Whether it may do everything that its person may, whatever scopes it has. */
  hasAllOfPerson: boolean;
};

/**
 * Every kind of caller. A new kind is a line here and, if it presents a credential, a line of `ownCredentials` in
 * `modules/accounts/authenticate.ts`; tokens of the OAuth server are handed in by `server.ts`. Limits of a single
 * caller are fields of the caller.
 */
export const callerKinds = {
  session: { prefix: 'ts', noun: 'session', is: 'person', hasAllOfPerson: true },
  key: { prefix: 'cm', noun: 'key', is: 'agent', hasAllOfPerson: false },
  oauth: { prefix: 'to', noun: 'connected client', is: 'agent', hasAllOfPerson: false },
  telegram: { prefix: null, noun: 'phone', is: 'person', hasAllOfPerson: false },
  run: { prefix: null, noun: 'automation run', is: 'agent', hasAllOfPerson: false },
  webhook: { prefix: 'zwh', noun: 'webhook token', is: 'server', hasAllOfPerson: false },
  system: { prefix: null, noun: 'work of the server', is: 'server', hasAllOfPerson: false },
} as const satisfies Record<string, CallerKind>;

export type CallerKindName = keyof typeof callerKinds;

/** The names of the kinds, as in rules and answers. */
export const callerKindNames = Object.keys(callerKinds) as [CallerKindName, ...CallerKindName[]]; // an object's keys are typed as any text

/** The operations to which a kind of caller is limited, whatever its scopes; a kind without an entry may call all. */
const confined: Partial<Record<CallerKindName, readonly string[]>> = { webhook: ['ingest'] };

/**
 * Whether a caller of this kind may call an operation; without an operation: whether it may use anything besides
 * operations.
 */
export function isConfined(kind: CallerKindName, operation?: string): boolean {
  const names = confined[kind];
  return names !== undefined && (operation === undefined || !names.includes(operation));
}
