import type { z } from 'zod';

/** Something that happened, told to consoles and handlers after the transaction that caused it commits. */
export type Event = {
  name: string;
  payload: Record<string, unknown>;
  /** Who may see it: members of this brain, or only this person. Null for both: everybody in the workspace. */
  brainId: string | null;
  personId: string | null;
};

/** Where an event belongs. */
export type EventScope = { brainId?: string; personId?: string };

/** Declares an event; the answer makes one. */
export function defineEvent<Payload extends z.ZodObject>(name: string, payload: Payload) {
  return (values: z.input<Payload>, scope: EventScope = {}): Event => ({
    name,
    payload: payload.parse(values),
    brainId: scope.brainId ?? null,
    personId: scope.personId ?? null,
  });
}
