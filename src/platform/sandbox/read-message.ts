// Parses one line from a sandbox process. Nothing in it is trusted: a line that is not a valid message counts as
// output.
import { isShallow } from '#kernel/parse-json';

export type CodeError = { name: string; message: string; code?: string; stack?: string };
export type CallMessage = { kind: 'call'; call: number; method: string; params: unknown };
export type Message =
  | { kind: 'raw' }
  /** Nesting deeper than this is refused. */
  | { kind: 'unfit' }
  | { kind: 'output'; stream: 'stdout' | 'stderr'; text: string }
  | CallMessage
  | { kind: 'done'; value: unknown; error: CodeError | null };

const deepest = 100;
const raw = { kind: 'raw' } as const;

/** Parses a line of the run `id`; ignores messages of another run. */
export function readMessage(line: string, id: string): Message {
  const message = parseLine(line);
  if (!message || message['run'] !== id) return raw;
  if (!isShallow(message, deepest)) return { kind: 'unfit' };
  const { call, method, params, out, text, done } = message;
  if (Number.isSafeInteger(call) && typeof method === 'string')
    return { kind: 'call', call: call as number, method, params };
  if ((out === 'stdout' || out === 'stderr') && typeof text === 'string') return { kind: 'output', stream: out, text };
  if (!isRecord(done)) return raw;
  if (!('error' in done)) return { kind: 'done', value: done['ok'] ?? null, error: null };
  return { kind: 'done', value: null, error: readError(done['error']) };
}

function parseLine(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readError(given: unknown): CodeError {
  const { name, message, code, stack } = isRecord(given) ? given : {};
  const short = (text: unknown, most: number) => (typeof text === 'string' ? withoutAddress(text).slice(0, most) : '');
  return {
    name: short(name, 100) || 'Error',
    message: short(message, 4_000) || 'It failed without saying why.',
    ...(typeof code === 'string' && { code: short(code, 60) }),
    ...(typeof stack === 'string' && { stack: short(stack, 8_000) }),
  };
}

/** The code is passed in a data URL, which errors should not repeat. */
function withoutAddress(text: string): string {
  return text.replaceAll(/data:application\/(?:typescript|javascript);base64,[\w+/=%.…]*/g, 'main.ts');
}
