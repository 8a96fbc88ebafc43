import { Writable } from 'node:stream';
import { secretPrefixes } from '#kernel/secret-prefixes';
import { generateSecret } from '#platform/one-time-secrets';
import { expect, test } from 'vitest';
import { createLog } from './index.ts';

test('every kind of secret that the server issues is redacted, wherever a line has it', () => {
  const secrets = secretPrefixes.map((prefix) => generateSecret(prefix));
  let written = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  const log = createLog('info', stream);
  for (const secret of secrets) log.info({ url: `/page/${secret}?x=${secret}` }, `asked with ${secret}`);
  for (const secret of secrets) expect(written).not.toContain(secret);
  expect(written.match(/\[redacted\]/g)).toHaveLength(3 * secrets.length);
});
