import { expect, test } from 'vitest';
import { listPathReadings } from './canonical-address.ts';
import { fillAddress, listReadings, parseAddress } from './index.ts';

test.for([
  ['HTTPS://API.Example.com.:443/%74ransfer', 'https://api.example.com/transfer'],
  ['https://api.example.com/a/./b/../c', 'https://api.example.com/a/c'],
  ['https://api.example.com/a/%2e%2E/%7Eada', 'https://api.example.com/~ada'],
  ['https://api.example.com/a%2fb//c?x=%74&y=a%2fb#z', 'https://api.example.com/a%2Fb//c?x=%74&y=a%2fb'],
  ['https://api.example.com/%73ec_aaaaaaaaaaaaaaaaaaaaaaaa', 'https://api.example.com/sec_aaaaaaaaaaaaaaaaaaaaaaaa'],
])('%s has the canonical form %s', ([raw = '', canonical = '']) => {
  expect(parseAddress(raw).href).toBe(canonical);
  expect(parseAddress(canonical).href).toBe(canonical);
});

test.for([
  '/%74ransfer',
  '//transfer',
  '/%2Ftransfer',
  '/a/..%2Ftransfer',
  '/%2574ransfer',
  '/transfer;id=1',
  '/.//transfer',
  '/%5Ctransfer',
])('a rule about /transfer is asked about it when %s is called', (path) => {
  const readings = listReadings(parseAddress(`https://bank.example${path}`));
  expect(readings).toContain('bank.example/transfer');
});

test('a path of ordinary letters has one reading', () => {
  expect(listPathReadings('/v1/notes/')).toEqual(['/v1/notes/']);
});

test('the value behind a handle is judged in its place, and one that would change the path is refused', () => {
  const handleFor = (value: string) => ({
    handle: `sec_${'a'.repeat(24)}`,
    value,
    placements: ['path'],
    hosts: ['x.example'],
  });
  const fill = (value: string, path = 'sec_aaaaaaaaaaaaaaaaaaaaaaaa') =>
    fillAddress(`https://x.example/${path}`, [handleFor(value)]).href;
  expect(fill('a/b c')).toBe('https://x.example/a%2Fb%20c');
  expect(() => fill('..')).toThrow(/cannot stand in the path/);
  expect(() => fill('74ransfer', '%sec_aaaaaaaaaaaaaaaaaaaaaaaa')).toThrow(/cannot stand in the path/);
});
