import { expect, test } from 'vitest';
import { listClientNetworks } from './client-networks.ts';

test('a client is counted by its address, and for IPv6 also by the networks that its provider may have assigned', () => {
  expect(listClientNetworks('203.0.113.1')).toEqual([{ network: '203.0.113.1', shares: 1 }]);
  expect(listClientNetworks('')).toEqual([{ network: '', shares: 1 }]);
  expect(listClientNetworks('2001:db8:7:12ab::/64').map(({ network }) => network)).toEqual([
    '2001:db8:7:12ab::/64',
    '2001:db8:7:1200::/56',
    '2001:db8:7::/48',
  ]);
});
