// Calls that no face makes: a module runs an operation for somebody, or works in somebody's name.
import type { Caller } from './caller.ts';
import type { Catalogue } from './catalogue.ts';
import type { Context, Face } from './context.ts';
import type { Db } from './database.ts';
import { systemContext, type Call, type Execute } from './execute.ts';
import type { Operation } from './operation.ts';
import type { Ports } from './ports.ts';

export type Calls = {
  /** Runs an operation by its name, checked, limited and recorded like one that comes by a face. Answers its output. */
  as(caller: Caller, operation: string, input: object, how: How): Promise<Record<string, unknown>>;
  /** What is known of an operation. Throws when there is none of the name: names in code are always right. */
  operation(name: string): Operation;
  /** As `operation`, for names that come from outside; undefined: there is none. */
  find(name: string): Operation | undefined;
  /** A context for work of the server's own in one transaction, in the name of `caller`. Nothing is checked or recorded by it. */
  systemContext(db: Db, caller: Caller, requestId: string): Context;
};

/** By which face it came, under which id the record has it, and what happens with it: see `Call`. */
type How = { face: Face; requestId: string } & Pick<Call, 'alongside' | 'committed'>;

/** Makes them over the one way to run an operation. */
export function createCalls(ports: Ports, catalogue: Catalogue, execute: Execute): Calls {
  function operation(name: string): Operation {
    const found = catalogue.get(name);
    if (!found) throw new Error(`there is no operation ${name}`);
    return found;
  }
  return {
    operation,
    find: (name) => catalogue.get(name),
    async as(caller, name, input, how) {
      return (await execute({ operation: operation(name), input, caller, ...how })) as Record<string, unknown>; // every operation answers an object
    },
    systemContext: (db, caller, requestId) => systemContext(ports, db, caller, requestId),
  };
}
