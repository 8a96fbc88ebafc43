import { expect, test } from 'vitest';
import { toPrintable, toPrintableInMail } from './printable.ts';

test('a name is one line, without characters that hide or reorder text', () => {
  expect(toPrintable('  Ada\r\n\tLovelace ')).toBe('Ada Lovelace');
  expect(toPrintable('gro\u202Eelpmaxe\u200B.moc')).toBe('gro elpmaxe .moc');
  expect(toPrintable('x'.repeat(500))).toHaveLength(120);
  expect(toPrintable('Zoë Müller, 王')).toBe('Zoë Müller, 王');
  expect(toPrintable('\u3164\u2800 A\uFE0Fda\u115F')).toBe('A da');
  expect(toPrintable('Team ❤️ 👩‍💻')).toBe('Team ❤️ 👩‍💻');
});

test('no name becomes a link in a mail', () => {
  const name = 'Pay now\n\nhttps://evil.example/pay?x=1 or mail eve@evil.example';
  const shown = toPrintableInMail(name);
  expect(shown).not.toMatch(/\n|:\/\/|\w\.\w|\w@\w/);
  expect(toPrintableInMail('Ada B. Lovelace')).toBe('Ada B. Lovelace');
  expect(toPrintableInMail('booking.com')).toBe('booking[.]com');
});
