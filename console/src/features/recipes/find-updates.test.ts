import { expect, test } from 'vitest';
import { findUpdates } from './find-updates.ts';

const latest = [
  { slug: 'notes', version: '1.10.0' },
  { slug: 'kit', version: '1.0.0' },
];
const buildInstall = (version: string, more: object = {}) => ({
  install_id: 'a',
  slug: 'notes',
  version,
  bundle_id: null,
  ...more,
});

test('a lower version has an update, number by number', () => {
  expect([...findUpdates([buildInstall('1.9.0')], latest)]).toEqual([['a', '1.10.0']]);
  expect([
    ...findUpdates([buildInstall('1.10.0'), buildInstall('2.0.0'), buildInstall('1.0.0', { slug: 'gone' })], latest),
  ]).toEqual([]);
});

test('a bundle has an update when only a part of it has one, and the part does not', () => {
  const bundle = buildInstall('1.0.0', { install_id: 'b', slug: 'kit' });
  expect([...findUpdates([bundle, buildInstall('1.9.0', { bundle_id: 'b' })], latest)]).toEqual([['b', null]]);
});
