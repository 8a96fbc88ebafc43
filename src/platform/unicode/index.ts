// Unicode's normal forms, in linear time.

/** More marks on one letter than any language writes; the limit of Unicode's stream-safe text (UAX #15, D4). */
const mostMarks = 30;
const overlongMarks = new RegExp(String.raw`(\p{M}{${mostMarks}})\p{M}+`, 'gu');
const nonAscii = /\P{ASCII}/u;

/**
 * The text in a normal form. Marks after the thirtieth of one letter are dropped: sorting them takes the square of
 * their number, and a text that consists of marks would block a thread for minutes.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (!nonAscii.test(text)) return text;
  // oxlint-disable-next-line thalamus/linear-time -- no letter has more than 30 marks here
  return text.replace(overlongMarks, '$1').normalize(form);
}
