import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDnsServer, type DnsServer } from '../../../tests/support/dns-server.ts';
import { resolveChecked } from './connector.ts';
import { createResolvers, type Resolver } from './resolve-names.ts';

let dns: DnsServer;
let folder: string;
let byNetwork: Resolver;
beforeAll(async () => {
  dns = await startDnsServer({
    'public.example': '93.184.216.34',
    'other.example': '93.184.216.35',
    'inside.example': '10.0.0.5',
    'written.example': '93.184.216.99',
    'nobody.example': null,
  });
  folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  const hostsFile = join(folder, 'hosts');
  await writeFile(
    hostsFile,
    '# names of this machine\n93.184.216.40 written.example  alias.example # a note\nfe80::1%lo0 x\n',
  );
  ({ byNetwork } = createResolvers({ servers: [dns.address], hostsFile, timeoutMs: 600 }));
});
afterAll(async () => {
  await dns.close();
  await rm(folder, { recursive: true });
});

test('a name server that never answers delays no other name', async () => {
  const hanging = Promise.allSettled(Array.from({ length: 64 }, (_, at) => byNetwork(`hangs${at}.example`)));
  let isHanging = true;
  void hanging.then(() => (isHanging = false));
  for (let at = 0; at < 5; at += 1) expect(await byNetwork('public.example')).toEqual(['93.184.216.34']);
  expect(isHanging).toBe(true);
  expect((await hanging).every(({ status }) => status === 'rejected')).toBe(true);
});

test('concurrent callers for a name share one look-up', async () => {
  dns.asked.length = 0;
  const answers = await Promise.all(Array.from({ length: 50 }, () => byNetwork('other.example')));
  expect(answers).toEqual(Array.from({ length: 50 }, () => ['93.184.216.35']));
  expect(dns.asked.toSorted()).toEqual(['A other.example', 'AAAA other.example']);
});

test('the hosts file and localhost precede the network', async () => {
  expect(await byNetwork('written.example')).toEqual(['93.184.216.40']);
  expect(await byNetwork('ALIAS.example')).toEqual(['93.184.216.40']);
  expect(await byNetwork('localhost')).toEqual(['127.0.0.1', '::1']);
});

test('a private address is refused from any source, and a name without an address fails', async () => {
  await expect(resolveChecked('inside.example', byNetwork)).rejects.toMatchObject({ category: 'blocked' });
  await expect(resolveChecked('localhost', byNetwork)).rejects.toMatchObject({ category: 'blocked' });
  await expect(resolveChecked('nobody.example', byNetwork)).rejects.toMatchObject({ category: 'network' });
});

test('the operating system is asked for names that only it knows', async () => {
  const { bySystem } = createResolvers();
  expect(await bySystem('localhost')).toEqual(expect.arrayContaining([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]));
});
