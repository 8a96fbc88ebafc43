import { expect, test } from 'vitest';
import { listPathReadings } from './canonical-url.ts';
import { fillAddress, listReadings, parseAddress } from './index.ts';
import { checkReadsOnly } from './reads-only.ts';

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
  '/%25252574ransfer',
  '/%252525252574ransfer',
  '/%EF%BD%94ransfer',
  '/\uFF54ransfer',
  '/%25EF%25BD%2594ransfer',
  '/a%EF%BC%8F%EF%BC%8E%EF%BC%8E%EF%BC%8Ftransfer',
  '/%u0074ransfer',
  '/%C5%A3ransfer',
])('a rule about /transfer applies when %s is called', (path) => {
  const readings = listReadings(parseAddress(`https://bank.example${path}`));
  expect(readings).toContain('bank.example/transfer');
});

test.for([
  '/safe/%c0%ae%c0%ae%c0%aftransfer',
  '/safe/%25c0%25af',
  '/safe/%E0%80%AF',
  '/transfer%00.json',
  '/safe%0atransfer',
  `/%${'25'.repeat(40)}74ransfer`,
  '/caf%E9',
])('%s may be any path, because servers read it differently', (path) => {
  expect(listPathReadings(parseAddress(`https://bank.example${path}`).pathname)).toContain('/*');
  expect(() => checkReadsOnly({ method: 'GET', url: new URL(`https://slack.com${path}`) })).toThrow(/on GET requests/);
});

test('the readings of the longest path are made in milliseconds', () => {
  const started = performance.now();
  listPathReadings(`/%${'25'.repeat(3_990)}`);
  listPathReadings(`/${'%25'.repeat(2_600)}`);
  expect(performance.now() - started).toBeLessThan(200);
});

test.for(['/caf%C3%A9/%E6%97%A5', '/a%2Fb', '/100%25', '/%20x', '/a*b'])('%s has all its readings', (path) => {
  expect(listPathReadings(path)).not.toContain('/*');
});

test('a path of ordinary letters has one reading', () => {
  expect(listPathReadings('/v1/notes/')).toEqual(['/v1/notes/']);
});

test('the value behind a handle is checked in its place, and one that would change the path is refused', () => {
  const createHandle = (value: string) => ({
    handle: `sec_${'a'.repeat(24)}`,
    value,
    placements: ['path'],
    hosts: ['x.example'],
  });
  const fill = (value: string, path = 'sec_aaaaaaaaaaaaaaaaaaaaaaaa') =>
    fillAddress(`https://x.example/${path}`, [createHandle(value)]).href;
  expect(fill('a/b c')).toBe('https://x.example/a%2Fb%20c');
  expect(() => fill('..')).toThrow(/cannot be part of a path/);
  expect(() => fill('74ransfer', '%sec_aaaaaaaaaaaaaaaaaaaaaaaa')).toThrow(/cannot be part of a path/);
});
