/** @type {[pattern: RegExp, instead: string][]} */
const phrases = [
  [/\b(?:a|your|the|another|this) yes\b|\bsay(?:s|ing)? yes\b|\bsaid yes\b/i, 'approval, approve'],
  [/\bwho(?:m)?ever\b/i, 'the person, caller or process'],
  [/\b(?:keep|keeps|kept|keeping) in step\b/i, 'sync'],
  [/\b(?:taken|takes|take|brought|brings|bring) in\b/i, 'read, fetch or store'],
  [/\bwhereabouts\b/i, 'item locations'],
  [/\bbecame of\b|\bbecome of\b/i, 'the outcome'],
  [/\bnobody (?:knows|could know)\b/i, 'it is not known'],
  [/\bthe worst is\b/i, 'the strictest case'],
  [/\bsays? the same\b/i, 'duplicate'],
  [/\b(?:is|are|was) gone\b/i, 'deleted, or what happened'],
  [/\b(?:is|are) over\b(?! )/i, 'expired, ended or decided'],
  [/\bput right\b/i, 'fix'],
  [/\b(?:goes|go|went) by itself\b/i, 'without approval'],
  [/\btaken back\b|\btake back\b/i, 'undo'],
  [/\bhang together\b/i, 'link'],
];

/**
 * Visible text uses plain words. The list has only the worst phrases; plain English needs more: see CONTRIBUTING.md.
 * @type {import('./syntax.mjs').Rule}
 */
export const plainWords = {
  create(context) {
    /** @param {string} text */
    function problemIn(text) {
      if (!text.includes(' ')) return null;
      for (const [pattern, instead] of phrases) {
        const [words] = pattern.exec(text) ?? [];
        if (words) return `Say it plainly: instead of "${words}" write ${instead}.`;
      }
      return null;
    }
    return {
      Literal(node) {
        const message = typeof node.value === 'string' && problemIn(node.value);
        if (message) context.report({ node, message });
      },
      TemplateElement(node) {
        const message = problemIn(node.value.raw);
        if (message) context.report({ node, message });
      },
      JSXText(node) {
        const message = problemIn(node.value);
        if (message) context.report({ node, message });
      },
    };
  },
};
