// What a module declares: data, and functions that use the open platform.
import type { RawBuilder } from 'kysely';
import type { Action } from './action.ts';
import type { BrainContents, BrainDependent } from './brain-contents.ts';
import type { Calls } from './calls.ts';
import type { Context } from './context.ts';
import type { Db } from './database.ts';
import type { EventKind, EmittedEvent } from './event.ts';
import type { Operation } from './operation.ts';
import type { Portable } from './portable.ts';
import type { Provider } from './provider.ts';
import type { Resource } from './resource.ts';

/** A part of the product. `Ground` is the open platform of the server: database, egress, vault and so on. */
export type Module<Ground> = {
  name: string;
  /** How the kernel finds the items that operations name by id. */
  resources?: readonly Resource[];
  /** The events of the module. An event that no module declares cannot be emitted. */
  events?: readonly EventKind[];
  /** The actions of the module, and how each of them reaches its provider. */
  actions?: {
    all: readonly Action[];
    reach(ground: Ground): ReachProvider;
    /** Fills in the payloads of all its actions for rules. */
    fill?(ground: Ground): NonNullable<Action['fill']>;
  };
  /** Providers whose accounts can be linked, in display order. */
  providers?: readonly Provider[];
  /** Sources that it reads, by the names that policy rules use. */
  reads?: readonly string[];
  /** The module's items in brains, so that a brain can be counted, exported and deleted. */
  contents?: readonly BrainContents[];
  /** The items that move with a brain to another server; items that others refer to come first. */
  portable?: readonly Portable[] | ((ground: Ground) => readonly Portable[]);
  /** Uses of a brain that must end before the brain is deleted. */
  dependents?: readonly BrainDependent[];
  /** Ends what works in the name of a person who leaves the workspace, in the transaction in which they leave. */
  endPerson?(db: Db, personId: string, at: Date): Promise<void>;
  /** Ends what revoked keys created. Returns how many items that were, by plural noun. */
  endKeys?(db: Db, keyIds: readonly string[], at: Date): Promise<Record<string, number>>;
  /** Shows a draft to its person outside the inbox, when the draft names this module. */
  prompt?(ground: Ground): Prompt;
  /** Deletes rows of one workspace that are no longer needed; runs once an hour. */
  tidy?(db: Db, at: Date): Promise<unknown>;
  /** The operations of the module. */
  operations?(ground: Ground): readonly Operation[];
  /** The background work. Called once, before the server starts. */
  work?(ground: Ground, calls: Calls): Work;
};

/** The background work of a module. */
export type Work = {
  jobs?: readonly Job[];
  /** Runs once a minute for workspaces that have work, in one of all processes. */
  eachMinute?: readonly Round[];
  subscribers?: readonly Subscriber[];
  background?: readonly Background[];
};

/** Work that is stored as a row until it is done. `Jobs` of the platform defines the retries. */
export type Job = { name: string; run(data: object): Promise<void> };

/**
 * Regular work. Each round asks `findWorkspaces` which workspaces have work, and calls `run` for each of them. An error
 * in one workspace is logged, and the round continues with the next.
 */
export type Round = {
  name: string;
  findWorkspaces(db: Db): Promise<string[]>;
  run(workspaceId: string): Promise<unknown>;
};

/**
 * A job for each event of certain kinds. It is enqueued in the transaction of the event, so it runs if and only if that
 * transaction commits. Like every job, it may run more than once.
 */
export type Subscriber = {
  name: string;
  kinds: readonly EventKind[];
  run(event: EmittedEvent): Promise<void>;
  /**
   * The SQL condition under which the workspace wants the job, evaluated by the statement that stores the event.
   * Absent: every event gets one.
   */
  isWanted?: RawBuilder<boolean>;
};

/** A service of a process, from start to end. Services are disposed of in the reverse order of starting. */
export type Background = AsyncDisposable & { start?(): Promise<void> | void };

/** How an action reaches the provider through the draft's account; nothing is sent after the deadline. */
export type ReachProvider = (draft: DraftConnection, deadline: AbortSignal) => unknown;

/** The part of a draft that identifies its account. */
export type DraftConnection = {
  id: string;
  workspace_id: string;
  connection_id: string | null;
  person_id: string;
  source: string;
};

/** The id of the draft's account. Every action has one, except those of plain addresses. */
export function getConnectionId({ id, connection_id }: DraftConnection): string {
  if (connection_id === null) throw new Error(`the draft ${id} has no account`);
  return connection_id;
}

/**
 * Shows a draft to its person as soon as the transaction commits, once even when called repeatedly. False: it cannot be
 * shown.
 */
export type Prompt = (ctx: Context, draftId: string) => Promise<boolean>;

/** The items of all modules that move with a brain, in the order in which they are stored. */
export function listPortables<Ground extends { modules: readonly Module<Ground>[] }>(
  ground: Ground,
): readonly Portable[] {
  return ground.modules.flatMap(({ portable = [] }) => (typeof portable === 'function' ? portable(ground) : portable));
}

/** Declares a module. */
export function defineModule<Ground>(module: Module<Ground>): Module<Ground> {
  return module;
}

/** Declares a job, typed by its data: `enqueue` accepts only that type for its name. */
export function defineJob<Data extends object>(name: string, run: (data: Data) => Promise<void>): Job {
  return { name, run: run as Job['run'] };
}

/**
 * Runs a job after events of these kinds. `name` is the job's name: it must not change while rows of the job may be
 * waiting.
 */
export function runAfterEvents<Kind extends EventKind>(
  kinds: readonly Kind[],
  name: string,
  run: (payload: PayloadOf<Kind>, event: EmittedEvent) => Promise<void>,
  isWanted?: RawBuilder<boolean>,
): Subscriber {
  return { name, kinds, run: (event) => run(event.payload as PayloadOf<Kind>, event), ...(isWanted && { isWanted }) };
}

type PayloadOf<Kind> = Kind extends EventKind<infer Payload> ? Payload : never;

/** Memoizes a function by platform, so that all modules of a server share one instance. */
export function memoizePerServer<Ground extends object, Thing>(
  make: (ground: Ground) => Thing,
): (ground: Ground) => Thing {
  const made = new WeakMap<Ground, { thing: Thing }>();
  return (ground) => {
    const known = made.get(ground) ?? { thing: make(ground) };
    made.set(ground, known);
    return known.thing;
  };
}
