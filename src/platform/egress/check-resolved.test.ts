import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEgressByNames, type EgressByNames } from '../../../tests/support/egress-by-names.ts';

let names: EgressByNames;
beforeAll(async () => {
  names = await startEgressByNames(
    {
      'public.example': '93.184.216.34',
      'inside.example': '10.0.0.5',
      'metadata.example': '169.254.169.254',
      'loopback.example': '127.0.0.1',
      'nobody.example': null,
    },
    ['https://loopback.example:8443'],
  );
});
afterAll(async () => {
  await names.close();
});

test.for(['inside.example', 'metadata.example', 'loopback.example', 'INSIDE.example.'])(
  'a name that leads to a private address is refused: %s',
  async (name) => {
    const checked = names.egress.checkResolved(`https://${name}/authorize`);
    await expect(checked).rejects.toMatchObject({ diagnostics: { errorCategory: 'blocked' }, delivery: 'not_sent' });
    await expect(checked).rejects.toThrow(/is in the .* range/);
  },
);

test('a name with a public address passes, and one without any does not', async () => {
  await names.egress.checkResolved('https://public.example/authorize');
  await expect(names.egress.checkResolved('https://nobody.example/')).rejects.toThrow(/could not be looked up/);
});

test('an exception of the operator is reached without a look-up', async () => {
  names.dns.asked.length = 0;
  await names.egress.checkResolved('https://loopback.example:8443/authorize');
  expect(names.dns.asked).toEqual([]);
});
