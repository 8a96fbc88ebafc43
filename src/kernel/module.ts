// The form of a module: what it declares as data, and what it does over the server's doors.
import type { Action } from './action.ts';
import type { BrainContents, BrainDependent } from './brain-contents.ts';
import type { Calls } from './calls.ts';
import type { Context } from './context.ts';
import type { Db } from './database.ts';
import type { EventKind, Told } from './event.ts';
import type { Operation } from './operation.ts';
import type { Portable } from './portable.ts';
import type { Provider } from './provider.ts';
import type { Resource } from './resource.ts';

/** A part of the product. `Ground` is what the server stands on: the doors to the outside, opened. */
export type Module<Ground> = {
  name: string;
  /** How the kernel finds the things that operations name by id. */
  resources?: readonly Resource[];
  /** Everything it tells. An event that no module declares cannot be told. */
  events?: readonly EventKind[];
  /** Effects outside that it brings, and how each of them reaches its provider. */
  actions?: { all: readonly Action[]; reach(ground: Ground): ReachProvider };
  /** Providers whose accounts can be linked, in the order in which they are shown. */
  providers?: readonly Provider[];
  /** Sources that it reads, by the names that rules of the policy give. */
  reads?: readonly string[];
  /** What it keeps in brains, so that a brain is counted, exported and deleted as a whole. */
  contents?: readonly BrainContents[];
  /** What of it moves with a brain to another server; what others point to comes first. */
  portable?: readonly Portable[] | ((ground: Ground) => readonly Portable[]);
  /** What has to let go of a brain before it is deleted. */
  dependents?: readonly BrainDependent[];
  /** Puts a draft before its person by another way than the inbox, where the draft asks for this module by its name. */
  prompt?(ground: Ground): Prompt;
  /** Removes what nobody needs any more from one workspace; once an hour. */
  tidy?(db: Db, at: Date): Promise<unknown>;
  /** What callers can do. */
  operations?(ground: Ground): readonly Operation[];
  /** What goes on by itself. Asked for once, before the server starts. */
  work?(ground: Ground, calls: Calls): Work;
};

/** What goes on without anybody calling. */
export type Work = {
  jobs?: readonly Job[];
  /** Done for each workspace once a minute, by one process of all. */
  eachMinute?: readonly Round[];
  subscribers?: readonly Subscriber[];
  background?: readonly Background[];
};

/** Work that is kept as a row until it is done. `Jobs` of the platform says how often it is tried. */
export type Job = { name: string; run(data: object): Promise<void> };

/** One turn of regular work in one workspace. Throwing is told to the log; the other workspaces have their turn all the same. */
export type Round = { name: string; run(workspaceId: string): Promise<unknown> };

/**
 * A job for each event of some kinds: it is enqueued in the transaction that tells the event, so that it is done if and only if that
 * commits. It may be done more than once, like every job.
 */
export type Subscriber = { name: string; kinds: readonly EventKind[]; run(told: Told): Promise<void> };

/** What a process does as long as it runs. It is disposed of in the opposite order of starting. */
export type Background = AsyncDisposable & { start?(): Promise<void> | void };

/** How an action reaches the provider, in the name of the draft's account; nothing leaves after the deadline. */
export type ReachProvider = (draft: Connected, deadline: AbortSignal) => unknown;

/** What of a draft says through which account it goes. */
export type Connected = {
  id: string;
  workspace_id: string;
  connection_id: string | null;
  person_id: string;
  source: string;
};

/** The id of the account that a draft goes through. Every action but those of plain addresses has one. */
export function connectionOf({ id, connection_id }: Connected): string {
  if (connection_id === null) throw new Error(`the draft ${id} goes through no account`);
  return connection_id;
}

/** Puts a draft before its person as soon as the transaction commits, once however often it is asked. False: there is no way to. */
export type Prompt = (ctx: Context, draftId: string) => Promise<boolean>;

/** What of all modules moves with a brain, in the order in which it is stored. */
export function portableOf<Ground extends { modules: readonly Module<Ground>[] }>(ground: Ground): readonly Portable[] {
  return ground.modules.flatMap(({ portable = [] }) => (typeof portable === 'function' ? portable(ground) : portable));
}

/** Declares a module. */
export function defineModule<Ground>(module: Module<Ground>): Module<Ground> {
  return module;
}

/** Declares a job by the shape of its data, which is what `enqueue` was given for its name. */
export function defineJob<Data extends object>(name: string, run: (data: Data) => Promise<void>): Job {
  return { name, run: run as Job['run'] };
}

/** Has something done after events of these kinds. `name` is the job's: it stays the same for as long as rows of it may be waiting. */
export function on<Kind extends EventKind>(
  kinds: readonly Kind[],
  name: string,
  run: (payload: PayloadOf<Kind>, told: Told) => Promise<void>,
): Subscriber {
  return { name, kinds, run: (told) => run(told.payload as PayloadOf<Kind>, told) };
}

type PayloadOf<Kind> = Kind extends EventKind<infer Payload> ? Payload : never;

/** Makes something once for each server: the same thing for whoever asks with the same ground. */
export function perServer<Ground extends object, Thing>(make: (ground: Ground) => Thing): (ground: Ground) => Thing {
  const made = new WeakMap<Ground, { thing: Thing }>();
  return (ground) => {
    const known = made.get(ground) ?? { thing: make(ground) };
    made.set(ground, known);
    return known.thing;
  };
}
