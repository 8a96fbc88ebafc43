// Masks secrets and personal data in training data, because a model would memorise them.
import { ownSecrets } from '#kernel/secret-prefixes';
import { trimLetters } from '#kernel/trim-end';

export const masks = ['none', 'secrets', 'all'] as const;
export type Mask = (typeof masks)[number];

const secretForms: readonly RegExp[] = [
  ownSecrets,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abposr]|hf)[-_][A-Za-z0-9_-]{16,}/g,
  /\bwhsec_[A-Za-z0-9+/_-]{16,}={0,2}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b(?<=(?:password|passwd|pwd|secret|token|api[ _-]?key)\s*(?:is|=|:)\s*)\S{4,}/gi,
];

const personalForms: readonly (readonly [RegExp, string])[] = [
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,190}\.\p{L}{2,24}/gu, '[email]'],
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g, '[iban]'],
  [/\b(?:\d[ -]?){13,19}\b/g, '[card]'],
  [/(?<![\w.])\+\d{1,3}[ ().-]{0,2}\d(?:[ ().-]{0,2}\d){6,12}(?!\w)/g, '[phone]'],
  [/(?<![\w.-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?!\w)/g, '[phone]'],
  [/\b\d{3}-\d{2}-\d{4}\b/g, '[id]'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, '[ip]'],
];

/** Shorter values are also ordinary words. */
const fewestCharacters = 4;

/**
 * A line as JSON, masked. A secret in one of its texts is masked in the others, too, because the topics of a question
 * are words of the answer.
 */
export function maskLine(line: object, mask: Mask): string {
  const secrets = new Set<string>();
  JSON.stringify(line, (_, value: unknown) => {
    if (mask !== 'none' && typeof value === 'string')
      for (const form of secretForms) for (const [found] of value.matchAll(form)) secrets.add(trimPunctuation(found));
    return value;
  });
  const again = [...secrets]
    .filter(({ length }) => length >= fewestCharacters)
    .map((secret) => secret.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`));
  const anywhere = again.length ? new RegExp(again.join('|'), 'gi') : null;
  return JSON.stringify(line, (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    const clean = maskText(value, mask);
    return anywhere ? clean.replaceAll(anywhere, '[secret]') : clean;
  });
}

function trimPunctuation(found: string): string {
  return trimLetters(found, `.,;:!?)]}"'`);
}

/**
 * A text without its secrets, and with `all` without personal data of a recognisable form. Names stay: no rule
 * distinguishes them from words.
 */
export function maskText(text: string, mask: Mask): string {
  if (mask === 'none') return text;
  let clean = text;
  for (const form of secretForms) clean = clean.replaceAll(form, '[secret]');
  if (mask === 'all') for (const [form, name] of personalForms) clean = clean.replaceAll(form, name);
  return clean;
}
