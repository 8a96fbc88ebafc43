// The calls that code of a run may make. Its input is untrusted, and every call goes through `execute()`.
import type { Caller } from '#kernel/caller';
import type { Calls } from '#kernel/calls';
import type { Transactions } from '#kernel/database';
import { AppError, toPublicError } from '#kernel/errors';
import { hmacAsked, computeHandleHmac } from '#modules/variables';
import { listNearNames, scriptNames, type Host } from '#platform/sandbox';
import type { Vault } from '#platform/vault';
import { z } from 'zod';

export type HostDeps = { calls: Calls; transactions: Transactions; vault: Vault };

const operationAsked = z.object({ name: z.string().max(100), input: z.unknown() });
const fetchAsked = z.object({
  method: z.string().max(20),
  url: z.string().max(8_000),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional(),
});

/** The host of one run. `began` is awaited before each call. */
export function createRunHost(
  { calls, transactions, vault }: HostDeps,
  caller: Caller,
  began: () => Promise<void>,
): Host {
  const requestId = caller.run?.id ?? caller.id;
  async function call(name: string, input: object): Promise<Record<string, unknown>> {
    if (calls.find(name)) return calls.runAs(caller, name, input, { face: 'server', requestId });
    const near = listNearNames(name, [...calls.listNames(), ...Object.keys(scriptNames)]).join(', ');
    throw new AppError(
      'not_found',
      `There is no brains.${name.slice(0, 60)}. Near: ${near}. The SDK lists the operations.`,
    );
  }

  const host: Host = {
    async operation(params) {
      const { name, input } = read(operationAsked, params);
      return call(name, (input ?? {}) as object); // parsed by the operation, like every input
    },
    async fetch(params) {
      const { headers = {}, ...request } = read(fetchAsked, params);
      const answer = await call('http_fetch', { ...request, headers });
      return 'status' in answer ? answer : { status: 202, headers: {}, json: answer };
    },
    async hmac(params) {
      const { key, text } = read(hmacAsked, params);
      return transactions.run(caller.workspaceId, 'read', (db) =>
        computeHandleHmac(vault, calls.systemContext(db, caller, requestId), key, text),
      );
    },
  };
  return Object.fromEntries(
    Object.entries(host).map(([name, ask]) => [
      name,
      async (params: unknown, signal: AbortSignal) => {
        await began();
        if (signal.aborted) throw new AppError('conflict', 'This run has ended.');
        return ask(params, signal).catch((thrown: unknown) => {
          throw toPublicError(thrown, requestId);
        });
      },
    ]),
  );
}

function read<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_input', 'The call does not have the form that the SDK uses.');
}
