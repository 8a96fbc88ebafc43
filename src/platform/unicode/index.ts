// Unicode's normal forms, in time that grows no faster than the text.

/** More marks on one letter than any language writes; the limit of Unicode's stream-safe text (UAX #15, D4). */
const mostMarks = 30;
const overlongMarks = new RegExp(String.raw`(\p{M}{${mostMarks}})\p{M}+`, 'gu');
const nonAscii = /\P{ASCII}/u;

/**
 * The text in a normal form. Marks after the thirtieth of one letter are dropped: putting them in order takes the
 * square of their number, and a text of nothing else holds up a thread for minutes.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (!nonAscii.test(text)) return text;
  // oxlint-disable-next-line thalamus/linear-time -- no letter has more than 30 marks here
  return text.replace(overlongMarks, '$1').normalize(form);
}
