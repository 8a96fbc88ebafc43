/** What is known of a kind of caller, whatever it calls. */
export type CallerKind = {
  /** What its credentials begin with, before the underscore; null: it presents none, and its module makes the caller. */
  prefix: string | null;
  /** How a message names the credential. */
  noun: string;
  /** `person`: it is its person, as at the console; `agent`: something that its person let in, with things of its own; `server`: neither. */
  is: 'person' | 'agent' | 'server';
  /** Whether it may do all that its person may, whatever it was granted. */
  hasAllOfPerson: boolean;
};

/**
 * Every kind of caller. A new one is a line here and, where it presents a credential, a line of `credentials` in the accounts module; what
 * narrows one caller stands on the caller itself.
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

/** Their names, as rules and answers have them. */
export const callerKindNames = Object.keys(callerKinds) as [CallerKindName, ...CallerKindName[]]; // an object's keys are typed as any text

/** The operations that a kind of caller is confined to, whatever its scopes say; a kind that is not named may call all. */
const confined: Partial<Record<CallerKindName, readonly string[]>> = { webhook: ['ingest'] };

/** Whether a caller of this kind may call an operation; without an operation: whether it may use anything but operations. */
export function isConfined(kind: CallerKindName, operation?: string): boolean {
  const names = confined[kind];
  return names !== undefined && (operation === undefined || !names.includes(operation));
}
