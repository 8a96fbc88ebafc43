import type { z } from 'zod';
import type { Db } from './database.ts';
import type { Scope } from './scopes.ts';

/** An event, sent to consoles and subscribers after its transaction commits. */
export type Event = {
  name: string;
  payload: Record<string, unknown>;
  /** Who may see the event: members of this brain, or only this person. Null for both: everybody in the workspace. */
  brainId: string | null;
  personId: string | null;
};

/** Who may see an event: a brain's members, or a person. */
export type EventScope = { brainId?: string; personId?: string };

/** An event as a subscriber gets it. */
export type EmittedEvent = Event & { id: string; workspaceId: string };

/** Adds an event to its transaction. Throws for an event that no module declares. */
export type EmitEvent = (db: Db, event: Event, row: { id: string; workspaceId: string; at: Date }) => Promise<void>;

/** A kind of event: call it to create one. `scope`: the scope that a listener needs. */
export type EventKind<Payload extends object = never> = {
  (values: Payload, scope?: EventScope): Event;
  kind: string;
  scope: Scope;
};

/** Declares an event. Its listeners need `scope`, and must be allowed to see the brain or person that it belongs to. */
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
