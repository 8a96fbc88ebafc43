import * as fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { findAddressRefusal } from './public-ip.ts';

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));

test('an IPv6 form that contains an IPv4 address is never public', () => {
  fc.assert(
    fc.property(octets, fc.nat(0xffff), ([a, b, c, d], local) => {
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      const forms = [
        `::ffff:${a}.${b}.${c}.${d}`,
        `::${hex}`,
        `::ffff:0:${hex}`,
        `64:ff9b::${hex}`,
        `64:ff9b:1:${local.toString(16)}::${hex}`,
        `2002:${hex}::${local.toString(16)}`,
        `2001:0:${hex}:0:0:${hex}`,
        `2606:4700::5efe:${hex}`,
        `2a00:1:2:3:200:5efe:${hex}`,
      ];
      for (const form of forms) expect([form, findAddressRefusal(form)]).not.toEqual([form, undefined]);
    }),
  );
});

test('an IPv6 address outside 2000::/3 is never public', () => {
  const parts = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(parts, (groups) => {
      const [first = 0] = groups;
      fc.pre(first < 0x2000 || first > 0x3fff);
      expect(findAddressRefusal(new ipaddr.IPv6(groups).toString())).toBeDefined();
    }),
  );
});

test('text that is not an address is refused without an exception', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (text) => {
      expect(findAddressRefusal(text)).toBeDefined();
    }),
  );
});
