import { createHmac } from 'node:crypto';
import { createSandbox } from '#platform/sandbox';
import { hmacAsked, computePlainHmac } from '#modules/variables';
import { expect, test } from 'vitest';
import { automationSdk } from './automation-sdk.ts';

const turn = { kind: 'run' as const, of: 'ada' };

const given: Readonly<Record<string, string>> = { message: 'the message', key: 'the key', text: 'Ä & b' };
const answers: Readonly<Record<string, string>> = {
  hmacSha256Hex: createHmac('sha256', 'the key').update('the message').digest('hex'),
  base64utf8: Buffer.from('Ä & b').toString('base64'),
  base64url: Buffer.from('Ä & b').toString('base64url'),
  escapeHtml: 'Ä &#38; b',
  rfc2047: `=?UTF-8?B?${Buffer.from('Ä & b').toString('base64')}?=`,
};

test('every helper takes its arguments in the order of the published types', async () => {
  const types = /interface Helpers \{([^}]*)\}/.exec(automationSdk)?.[1] ?? '';
  const helpers = [...types.matchAll(/^\s*(\w+)\(([^)]*)\)/gm)].map(([, name = '', parameters = '']) => {
    const names = [...parameters.matchAll(/(\w+):/g)].map(([, parameter = '']) => JSON.stringify(given[parameter]));
    return `${name}: await env.helpers.${name}(${names.join(', ')})`;
  });
  const sandbox = createSandbox();
  const hmac = async (params: unknown) => {
    const { key, text } = hmacAsked.parse(params);
    return computePlainHmac(key, text);
  };
  const { value } = await sandbox.run({ turn, source: `return { ${helpers.join(', ')} }`, host: { hmac } });
  await sandbox.close();
  expect({ ...(value as object), rfc2047: String((value as { rfc2047: string }).rfc2047).toLowerCase() }).toEqual({
    ...answers,
    rfc2047: answers['rfc2047']?.toLowerCase(),
  });
});
