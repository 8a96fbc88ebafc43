import { expect, test } from 'vitest';
import { readPartText } from './part-text.ts';

test.each([
  ['wrapped by \r\nthe client.\r\n\r\nNext', 'wrapped by the client.\n\nNext'],
  ['> quoted \n> words\n>> more \nends', '> quoted words\n>> more \nends'],
  ['Ana \n-- \nPort of Oslo', 'Ana \n-- \nPort of Oslo'],
  [' From here\n >no quote', 'From here\n>no quote'],
  ['', ''],
])('in the flowed text %j, lines that were broken for length are joined', (text, whole) => {
  expect(readPartText(Buffer.from(text), 'text/plain', { format: 'Flowed', charset: 'utf-8' })).toBe(whole);
});

test('a space that was added to break a line is removed, and other texts keep their lines', () => {
  const broken = Buffer.from('日本 \n語');
  expect(readPartText(broken, 'text/plain', { format: 'flowed', delsp: 'yes' })).toBe('日本語');
  expect(readPartText(broken, 'text/plain', {})).toBe('日本 \n語');
  expect(readPartText(broken, 'text/html', { format: 'flowed' })).toBe('日本 \n語');
});
