import { ownSecrets } from '#kernel/secret-prefixes';
import { createRequire } from 'node:module';
import type PinoPretty from 'pino-pretty';
import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Field names whose values are never logged, in the first three levels of an entry. */
const secretFields = [
  'authorization',
  'cookie',
  'token',
  'secret',
  'password',
  'key',
  'access_token',
  'refresh_token',
  'client_secret',
];

/**
 * Creates the log: JSON lines, to standard output by default, or readable lines on a terminal. Redacts secrets by field
 * name and by format.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: undefined,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
    hooks: { streamWrite: withoutSecrets },
  };
  if (destination) return pino(options, destination);
  if (!process.stdout.isTTY) return pino(options);
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty; // loaded on terminals only
  return pino(options, pretty({ colorize: true, ignore: 'pid,hostname', sync: true }));
}

/** Redacts text that looks like our credentials or a bearer token, inside other text. */
function withoutSecrets(text: string): string {
  return text
    .replaceAll(ownSecrets, '$1_[redacted]')
    .replaceAll(/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 [redacted]');
}
