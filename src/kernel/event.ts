import type { z } from 'zod';
import type { Db } from './database.ts';
import type { Scope } from './scopes.ts';

/** Something that happened, told to consoles and subscribers after the transaction that caused it commits. */
export type Event = {
  name: string;
  payload: Record<string, unknown>;
  /** Who may see it: members of this brain, or only this person. Null for both: everybody in the workspace. */
  brainId: string | null;
  personId: string | null;
};

/** Where an event belongs. */
export type EventScope = { brainId?: string; personId?: string };

/** An event as a subscriber gets it. */
export type Told = { workspaceId: string; name: string; payload: object };

/** Puts an event into the transaction that caused it. Throws for one that no module declares. */
export type Tell = (db: Db, event: Event, row: { id: string; workspaceId: string; at: Date }) => Promise<void>;

/** A kind of event: call it to make one. `scope`: what a caller must be allowed to do, to be told of it. */
export type EventKind<Payload extends object = never> = {
  (values: Payload, scope?: EventScope): Event;
  kind: string;
  scope: Scope;
};

/** Declares an event. Who hears it holds `scope`, and belongs to where it happened. */
export function defineEvent<Payload extends z.ZodObject>(
  name: string,
  scope: Scope,
  payload: Payload,
): EventKind<z.input<Payload>> {
  const make = (values: z.input<Payload>, place: EventScope = {}): Event => ({
    name,
    payload: payload.parse(values),
    brainId: place.brainId ?? null,
    personId: place.personId ?? null,
  });
  return Object.assign(make, { kind: name, scope });
}
