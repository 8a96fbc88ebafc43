// Runs a translator on one request, in the sandbox: without network, without operations, for seconds.
import { toStorableJson, toStorableText } from '#platform/database';
import { hmacAsked, computePlainHmac } from '#modules/variables';
import type { Host, Sandbox, SandboxTurn } from '#platform/sandbox';
import type { VersionRow } from '../store/tables.ts';
import { parseTranslation, type Translation } from './documents.ts';

/** The input of a translator. */
export type TranslatorInput = {
  body: unknown;
  raw_body: string;
  headers: Record<string, string>;
  query: Record<string, string>;
};

export type TranslationRun = { translation: Translation; output: unknown; logs: string; durationMs: number };

const limits = { wallMs: 5_000, cpuMs: 5_000, memoryMb: 300, outputBytes: 16_000, messageBytes: 8_000_000 };

/** A translator signs with its own keys; no other call is available. */
const host: Host = {
  async hmac(params) {
    const { key, text } = hmacAsked.parse(params);
    return computePlainHmac(key, text);
  },
};

/**
 * The result of a version's code, in a form that the database can store. It throws only where no code can run at all.
 */
export async function translate(
  sandbox: Sandbox,
  version: Pick<VersionRow, 'code' | 'runtime'>,
  input: TranslatorInput,
  { domain, turn }: { domain: string | null; turn: SandboxTurn },
): Promise<TranslationRun> {
  const result = await sandbox.run({
    turn,
    ...buildScript(version),
    args: input,
    host,
    ...(domain !== null && { domain }),
  });
  const { status, value, error, stdout, stderr, durationMs } = result;
  const logs = toStorableText(`${stdout}${stderr}`, 16_000);
  if (status === 'succeeded') {
    const output = toStorableJson(value);
    return { translation: parseTranslation(output), output, logs, durationMs };
  }
  const message = toStorableText([error?.name, error?.message].filter(Boolean).join(': '), 2_000);
  return {
    translation: { kind: 'error', message: message || 'The translator failed.' },
    output: null,
    logs,
    durationMs,
  };
}

/** Calls the code's `translate`. In JavaScript it may be exported, and may be a function or a constant. */
function buildScript({ code, runtime }: Pick<VersionRow, 'code' | 'runtime'>) {
  if (runtime === 'python')
    return { language: 'python' as const, limits: { ...limits, memoryMb: 500 }, source: buildPythonScript(code ?? '') };
  const plain = (code ?? '').replaceAll(/^export\s+(?:default\s+)?(?=(?:async\s+)?function\b|const\b|let\b)/gm, '');
  const source = `${plain}
;if (typeof translate !== 'function') throw new Error('The code defines no function translate({body, raw_body, headers, query}).');
return await translate(args, args.headers);`;
  return { source, limits };
}

function buildPythonScript(code: string): string {
  return `${code}

import inspect
found = translate(args)
return (await found) if inspect.isawaitable(found) else found
`;
}
