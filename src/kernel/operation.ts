import { z } from 'zod';
import type { BrainRole } from './caller.ts';
import type { Context, AfterCommitContext } from './context.ts';
import type { AppError, ErrorCode } from './errors.ts';
import { findIdFields, type IdField } from './ids.ts';
import type { Scope } from './scopes.ts';

/** A REST route of an operation, in addition to `POST /v1/tools/{name}`. `{name}` in the path is an input field. */
export type Route = { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: `/${string}` };

/** Who may call the operation. */
export type Access<Input> = {
  scope: Scope;
  /**
   * The role that the caller needs on the brain of each named id field. Without fields: on the home brain, unless that
   * is allowed.
   */
  brain?: { role: BrainRole; of: (keyof Input & string) | readonly (keyof Input & string)[]; whenAbsent?: 'allow' };
  /** Requires a person's authority: a session, or a key that reaches everything its person may read. */
  isForPeople?: boolean;
  /** Scopes that some calls need beside `scope`, because they give people more access, or delete. */
  also?: readonly ExtraScope<Input>[];
  /** Instead of `forbidden` when the scope is missing. */
  denied?: (ctx: Context, input: Input) => Promise<AppError>;
};

/** A scope in addition to the operation's own: for every call, or for the calls that `when` selects. */
export type ExtraScope<Input> = { scope: Scope; when?: (ctx: Context, input: Input) => boolean | Promise<boolean> };

export type Example<Input, Output> = { title: string; input: Input; output?: Output };

/**
 * The values a caller may choose from at the moment, by field name. They narrow the published schema, never what is
 * accepted.
 */
export type Choices = Record<string, readonly string[]>;

export type OperationSpec<Input extends z.ZodObject, Output extends z.ZodType, Run> = {
  name: string;
  /** Other accepted names of the operation. No list shows them. */
  shortNames?: readonly string[];
  /** One sentence that says what it does, for a model that must choose among tools. */
  summary: string;
  /** Its toolset: `?toolsets=` of the MCP address selects toolsets. */
  toolset: string;
  /** `external_read` reads from outside. Only a decided action changes anything outside. */
  effect: 'read' | 'write' | 'external_read';
  /** Its change cannot be undone. Clients learn this and may ask their person first. */
  isDestructive?: boolean;
  /**
   * It can give a person or program more access: readers, credentials, rights. The kernel reads its caller again under
   * a lock.
   */
  isWidening?: boolean;
  /** The answer contains a secret that is shown once: it is never stored for an `Idempotency-Key`. */
  hasSecretAnswer?: boolean;
  access: Access<z.output<Input>>;
  rest?: readonly Route[];
  input: Input;
  /**
   * Unknown fields are dropped, because hooks of other products add fields with each release. Default: they are errors.
   */
  ignoresUnknownFields?: true;
  /** Other names that callers may use for a field. */
  aliases?: Record<string, keyof z.output<Input> & string>;
  output: Output;
  errors: readonly ErrorCode[];
  examples: readonly Example<z.input<Input>, z.input<Output>>[];
  /** Largest request body in bytes; 1 MB unless the operation accepts files. */
  maxBodyBytes?: number;
  /**
   * Its REST routes also accept bodies as automation products send them: forms, and JSON with raw line breaks in
   * strings.
   */
  takesLooseBodies?: true;
  /**
   * How many of its calls a server process runs concurrently, so that heavy calls leave room for others; absent: no
   * limit.
   */
  maxAtOnce?: number;
  /**
   * The host that a call reaches, for grants that name `hosts`; null: it cannot be determined. Receives the unparsed
   * input.
   */
  findHost?: (input: Record<string, unknown>) => string | null;
  /** For some fields, the values that each caller can use now. */
  choices?: (ctx: Context) => Promise<Choices>;
  /** Works in one transaction. Its result is the answer, or the input of `afterCommit`. */
  run: (ctx: Context, input: z.output<Input>) => Promise<Run>;
  /**
   * Runs instead of `run` for a caller that lacks a scope of `access.also`: stores the requested change as a suggestion
   * that a person can accept.
   */
  suggest?: (ctx: Context, input: z.output<Input>) => Promise<z.input<Output>>;
  /** Works after the transaction committed, with no transaction open; its result is then the answer. */
  afterCommit?: (ctx: AfterCommitContext, run: Run, input: z.output<Input>) => Promise<z.input<Output>>;
};

/** An operation as the faces see it. */
export type Operation = Omit<
  OperationSpec<z.ZodObject, z.ZodType, unknown>,
  'access' | 'run' | 'suggest' | 'afterCommit' | 'examples' | 'aliases'
> & {
  access: Omit<Access<Record<string, unknown>>, 'brain'> & {
    brain?: { role: BrainRole; of: readonly string[]; whenAbsent?: 'allow' };
  };
  aliases?: Readonly<Record<string, string>>;
  examples: readonly Example<Record<string, unknown>, unknown>[];
  idFields: readonly IdField[];
  run: (ctx: Context, input: Record<string, unknown>) => Promise<unknown>;
  suggest?: (ctx: Context, input: Record<string, unknown>) => Promise<unknown>;
  afterCommit?: (ctx: AfterCommitContext, run: unknown, input: Record<string, unknown>) => Promise<unknown>;
};

/**
 * Defines an operation once, for every face. The name is the MCP tool, `POST /v1/tools/{name}` and the CLI command;
 * the schemas are its documentation. Throws when the definition contradicts itself.
 */
export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType, Run = z.input<Output>>(
  spec: OperationSpec<Input, Output, Run> & (Run extends z.input<Output> ? unknown : { afterCommit: unknown }),
): Operation {
  const { brain } = spec.access;
  const of = brain ? [brain.of].flat() : [];
  const unknownField = of.find((field) => !(field in spec.input.shape));
  if (unknownField) throw new Error(`${spec.name}: access names '${unknownField}', which is not an input field`);
  if (!spec.examples.length) throw new Error(`${spec.name}: an operation needs an example`);
  return {
    ...spec,
    access: { ...spec.access, brain: brain && { ...brain, of } },
    idFields: findIdFields(spec.input),
  } as unknown as Operation; // erases the input and output types: from here on, only the schemas describe them
}
