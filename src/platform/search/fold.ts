import { normalizeText } from '#platform/unicode';
import { isAscii } from './chunks.ts';

const accentsOnLatinAndGreek = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu;
const letterPairs: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  ё: 'е',
  Ё: 'Е',
  '’': "'",
  '‘': "'",
  ʼ: "'",
};
const replacedLetters = new RegExp(`[${Object.keys(letterPairs).join('')}]`, 'gu');

/**
 * One spelling for letters that look the same to readers: compatibility forms are unified, and accents on Latin and
 * Greek letters removed. Letter case is kept. Marks of other scripts stay, because there they make another letter.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text;
  const withoutAccents = normalizeText(text, 'NFKD').replace(accentsOnLatinAndGreek, '$1');
  return normalizeText(withoutAccents, 'NFC').replace(replacedLetters, (letter) => letterPairs[letter] ?? letter);
}
