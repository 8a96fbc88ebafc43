/**
 * Phrases that stop a reader, with what to write instead. The list has only the frequent ones; CONTRIBUTING.md says what
 * plain words are.
 * @type {[pattern: RegExp, instead: string][]}
 */
const phrases = [
  [/\b(?:a|your|the|another|this) yes\b|\bsay(?:s|ing)? yes\b|\bsaid yes\b/i, 'approval, approve'],
  [/\bwho(?:m)?ever\b/i, 'the person, caller or process'],
  [/\b(?:keep|keeps|kept|keeping) in step\b/i, 'sync'],
  [/\b(?:taken|takes|take|brought|brings|bring) in\b/i, 'read, fetch or store'],
  [/\bwhereabouts\b/i, 'item locations'],
  [/\b(?:became|become|becomes) of\b|\b(?:came|comes?) of (?:it|that|them|this)\b/i, 'the outcome'],
  [/\bnobody (?:knows|could know)\b/i, 'it is not known'],
  [/\bthe worst is\b/i, 'the strictest case'],
  [/\bsays? the same\b/i, 'duplicate'],
  [/\b(?:is|are|was|were) gone\b/i, 'deleted, or what happened'],
  [/\b(?:is|are) over\b(?! )/i, 'expired, ended or decided'],
  [/\bput right\b/i, 'fix'],
  [/\b(?:goes|go|went) by itself\b/i, 'without approval'],
  [/\b(?:taken|take|takes|took) back\b/i, 'undo'],
  [/\bhang together\b/i, 'link'],
  [/\b(?:take|takes|taking|took|taken) the place of\b/i, 'replace'],
  [/\bin the place of\b/i, 'instead of'],
  [/\bfor good\b/i, 'permanently'],
  [/\bsmall letters\b/i, 'lower case'],
  [/\b(?:lets?|letting) go of\b/i, 'release'],
  [/\b(?:in|out of) force\b/i, 'active, inactive'],
  [/\b(?:tell|tells|telling|told) of\b/i, 'report, describe'],
  [/\bstands (?:above|at|below|in|on|there|under)\b/i, 'is'],
  [/\bholds? for\b/i, 'apply to'],
  [/\bbrought (?:about|back)\b|\b(?:came|comes?) about\b/i, 'restore, cause'],
  [/\bto begin with\b/i, 'at first'],
  [/\bone after the other\b/i, 'one after another'],
  [/\bset-up\b/i, 'setup'],
  [/\ban own\b/i, 'its own, a separate'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|less|one\b|need|way)[a-z]/i, '"is not a"'],
  [/(?<!\b(?:each|fails?|leaves?|leaving|left|once|stands?|when) )\balone[.,;]/i, '"only" before the word'],
  [/\bso many\b(?! (?:as|that))/i, 'this many, or the number'],
];

/**
 * The first phrase of a text that is refused, as a message; null: there is none.
 * @param {string} text
 */
export function findDialect(text) {
  for (const [pattern, instead] of phrases) {
    const [words] = pattern.exec(text) ?? [];
    if (words) return `Say it plainly: instead of "${words}" write ${instead}.`;
  }
  return null;
}
