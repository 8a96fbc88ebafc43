import { expect, test } from 'vitest';
import { printable, printableInMail } from './printable.ts';

test('a name is one line, without signs that hide or turn text', () => {
  expect(printable('  Ada\r\n\tLovelace ')).toBe('Ada Lovelace');
  expect(printable('gro\u202Eelpmaxe\u200B.moc')).toBe('gro elpmaxe .moc');
  expect(printable('x'.repeat(500))).toHaveLength(120);
  expect(printable('Zoë Müller, 王')).toBe('Zoë Müller, 王');
  expect(printable('\u3164\u2800 A\uFE0Fda\u115F')).toBe('A da');
  expect(printable('Team ❤️ 👩‍💻')).toBe('Team ❤️ 👩‍💻');
});

test('no name becomes a link in a mail', () => {
  const name = 'Pay now\n\nhttps://evil.example/pay?x=1 or mail eve@evil.example';
  const shown = printableInMail(name);
  expect(shown).not.toMatch(/\n|:\/\/|\w\.\w|\w@\w/);
  expect(printableInMail('Ada B. Lovelace')).toBe('Ada B. Lovelace');
  expect(printableInMail('booking.com')).toBe('booking[.]com');
});
