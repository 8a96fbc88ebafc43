// Calls that no face makes: a module runs an operation for a person, or works in a person's name.
import type { Caller } from './caller.ts';
import type { Catalogue } from './catalogue.ts';
import type { Context, Face } from './context.ts';
import type { Db } from './database.ts';
import { createSystemContext, type Call, type Execute } from './execute.ts';
import type { Operation } from './operation.ts';
import type { Ports } from './ports.ts';

export type Calls = {
  /**
   * Runs an operation by its name, with the same checks, limits and audit as a call from a face. Returns its output.
   */
  runAs(caller: Caller, operation: string, input: object, how: CallFacts): Promise<Record<string, unknown>>;
  /** The definition of an operation. Throws for an unknown name: names in code are always known. */
  operation(name: string): Operation;
  /** Like `operation`, for names from outside; undefined: there is no such operation. */
  find(name: string): Operation | undefined;
  /** The names of all operations. */
  listNames(): string[];
  /** A context for the server's own work in one transaction, in the name of `caller`. It checks and records nothing. */
  systemContext(db: Db, caller: Caller, requestId: string): Context;
};

/** The face of the call, the id in the audit record, and its callbacks: see `Call`. */
type CallFacts = { face: Face; requestId: string } & Pick<Call, 'alongside' | 'committed'>;

/** Makes `Calls` from the function that runs an operation. */
export function createCalls(ports: Ports, catalogue: Catalogue, execute: Execute): Calls {
  function operation(name: string): Operation {
    const found = catalogue.get(name);
    if (!found) throw new Error(`there is no operation ${name}`);
    return found;
  }
  return {
    operation,
    find: (name) => catalogue.get(name),
    listNames: () => [...catalogue.keys()],
    async runAs(caller, name, input, how) {
      return (await execute({ operation: operation(name), input, caller, ...how })) as Record<string, unknown>; // every output is an object
    },
    systemContext: (db, caller, requestId) => createSystemContext(ports, db, caller, requestId),
  };
}
