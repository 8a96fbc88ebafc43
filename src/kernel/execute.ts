import { checkIds, checkScope, refuseConfined } from './authorise.ts';
import type { Caller } from './caller.ts';
import type { BrainAccess, CallContext, Context, AfterCommitContext } from './context.ts';
import type { Db } from './database.ts';
import { AppError, toError } from './errors.ts';
import { applyGrants } from './grants.ts';
import type { Choices, Operation } from './operation.ts';
import { checkOutput, parseInput, readFaceInput } from './parse.ts';
import type { Ports, Repetition } from './ports.ts';

/** One call, as a face passes it on. */
export type Call = {
  operation: Operation;
  input: unknown;
  caller: Caller | null;
  face: CallContext['face'];
  requestId: string;
  idempotencyKey?: string;
  progress?: CallContext['progress'];
  asking?: CallContext['asking'];
  /**
   * Runs in the transaction of a writing operation, after `run`, for a caller that must record the call if and only if
   * it happens. Receives the output of `run`; if it throws, both are rolled back.
   */
  alongside?: (db: Db, value: unknown) => Promise<void>;
  /** Called after that transaction committed, before `afterCommit`, for a caller that does not wait for the network. */
  committed?: () => void;
};

/** Runs an operation for a caller and returns its output. */
export type Execute = (call: Call) => Promise<unknown>;

/** The values that a caller may choose at the moment, by operation name, for operations that narrow a field. */
export type ReadChoices = (
  operations: readonly Operation[],
  call: { caller: Caller; face: CallContext['face']; requestId: string },
) => Promise<ReadonlyMap<string, Choices>>;

/** `runInTransaction` sets this when an equal earlier request has a stored answer. */
type RunResult = { isReplayed: boolean; value: unknown };

/**
 * Creates the one function that runs an operation: authenticate, limit, parse, resolve ids, authorise, run, check the
 * output, audit. Throws `AppError`s unchanged. Any other error is a bug, which the face must hide.
 */
export function createExecute(ports: Ports): Execute {
  return async function execute(call) {
    const { operation, caller } = call;
    if (!caller) throw createUnauthenticatedError();
    return ports.observe(operation, caller, () =>
      runCall(ports, call, caller).catch((thrown: unknown) => {
        throw toError(thrown);
      }),
    );
  };
}

async function runCall(ports: Ports, call: Call, caller: Caller): Promise<unknown> {
  const { operation } = call;
  refuseConfined(caller, operation.name);
  await ports.limit(caller);
  const given = readFaceInput(call.face, operation, call.input);
  const input = parseInput(operation, caller.grants ? applyGrants(caller.grants, operation, given) : given);
  const context = createCallContext(ports, caller, call);
  const repetition = describeRepetition(ports, call, caller, input);
  const run = () => runInTransaction(ports, context, call, input, repetition);
  const ran = await (operation.maxAtOnce ? ports.inTurn(operation.name, operation.maxAtOnce, run) : run());
  call.committed?.();
  if (ran.isReplayed || !operation.afterCommit) return ran.value;
  return runAfterCommit(ports, context, operation, input, ran.value, repetition);
}

/**
 * Creates the function that reads a caller's choices from all operations in one transaction, before their schemas are
 * published.
 */
export function createReadChoices(ports: Ports): ReadChoices {
  return async function readChoices(operations, { caller, ...call }) {
    const narrowing = operations.filter((operation) => operation.choices);
    if (!narrowing.length) return new Map();
    await ports.limit(caller);
    return ports.transactions.run(caller.workspaceId, 'read', async (db) => {
      const ctx = createTransactionContext(ports, createCallContext(ports, caller, call), db);
      const choices = new Map<string, Choices>();
      for (const operation of narrowing) choices.set(operation.name, (await operation.choices?.(ctx)) ?? {});
      return choices;
    });
  };
}

function runInTransaction(
  ports: Ports,
  context: CallContext,
  { operation, alongside }: Call,
  input: Record<string, unknown>,
  repetition: Repetition | null,
): Promise<RunResult> {
  const mode = operation.effect === 'read' ? 'read' : 'write';
  const work = async (db: Db): Promise<RunResult> => {
    const ctx = createTransactionContext(ports, context, db);
    if (operation.isWidening && mode === 'write') await ports.lockCaller(db, context.caller);
    await checkIds(ports, ctx, operation, input);
    const how = await checkScope(ctx, operation, input);
    if (repetition) {
      const kept = await ports.reserveAnswer(db, repetition);
      if (kept?.state === 'done') return { isReplayed: true, value: kept.output };
      if (kept) throw createStillRunningError();
    }
    const value = await operation[how]?.(ctx, input);
    if (mode === 'write') {
      await ports.audit(ctx, operation, input);
      await alongside?.(db, value);
    }
    if (operation.afterCommit) return { isReplayed: false, value };
    const output = checkOutput(operation, value);
    if (repetition) await ports.keepAnswer(db, repetition, output);
    return { isReplayed: false, value: output };
  };
  return ports.transactions.run(context.caller.workspaceId, mode, work, { mayRepeat: true });
}

async function runAfterCommit(
  ports: Ports,
  call: CallContext,
  operation: Operation,
  input: Record<string, unknown>,
  prepared: unknown,
  repetition: Repetition | null,
): Promise<unknown> {
  const transact: AfterCommitContext['transact'] = (work, options) => {
    const later = { ...call, now: ports.now() };
    const once = (db: Db) => work(createTransactionContext(ports, later, db));
    return ports.transactions.run(call.caller.workspaceId, 'write', once, options);
  };
  try {
    const answer = await operation.afterCommit?.({ ...call, transact }, prepared, input);
    const output = checkOutput(operation, answer);
    if (repetition) await transact((ctx) => ports.keepAnswer(ctx.db, repetition, output));
    return output;
  } catch (error) {
    // A key that cannot be released now expires later, so the first error is reported.
    if (repetition) await transact((ctx) => ports.releaseAnswer(ctx.db, repetition)).catch(() => {});
    throw error;
  }
}

/** A context for work inside one transaction. */
function createTransactionContext(ports: Ports, call: CallContext, db: Db): Context {
  let access: Promise<BrainAccess> | undefined;
  const ctx: Context = {
    ...call,
    db,
    auditFacts: {},
    brains: () => (access ??= ports.brainAccess(db, call.caller)),
    emit: (event) => ports.emit(ctx, event),
  };
  return ctx;
}

/**
 * A context of the server itself, in the name of a caller: `Calls` passes it to work that does not belong to a call.
 */
export function createSystemContext(ports: Ports, db: Db, caller: Caller, requestId: string): Context {
  return createTransactionContext(ports, createCallContext(ports, caller, { face: 'server', requestId }), db);
}

function createCallContext(
  ports: Ports,
  caller: Caller,
  call: Pick<Call, 'face' | 'requestId' | 'progress' | 'asking'>,
): CallContext {
  return {
    caller,
    face: call.face,
    now: ports.now(),
    newId: ports.newId,
    requestId: call.requestId,
    progress: call.progress ?? (() => {}),
    asking: call.asking ?? null,
  };
}

function describeRepetition(ports: Ports, call: Call, caller: Caller, input: unknown): Repetition | null {
  const { idempotencyKey: key, operation } = call;
  if (!key || operation.effect === 'read') return null;
  if (operation.hasSecretAnswer) throw createNotKeptError(operation);
  if (key.length > 255) throw new AppError('invalid_input', 'Idempotency-Key may have at most 255 characters.');
  return { callerId: caller.id, operation: operation.name, key, requestHash: ports.hash(JSON.stringify(input)) };
}

function createUnauthenticatedError(): AppError {
  return new AppError(
    'unauthenticated',
    'Not authenticated. Send `Authorization: Bearer cm_…`, or sign in to the console.',
  );
}

function createStillRunningError(): AppError {
  return new AppError('conflict', 'The first request with this Idempotency-Key is still running. Retry in a moment.');
}

function createNotKeptError({ name }: Operation): AppError {
  return new AppError(
    'invalid_input',
    `${name} returns a secret, which is never stored for a repeated request. Send it without Idempotency-Key. If it ran twice, list the results and revoke one.`,
  );
}
