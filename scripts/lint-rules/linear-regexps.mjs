import { readFileSync } from 'node:fs';
import { findRegexp } from './find-regexp.mjs';

/** Written by `npm run regexps`. @type {{ linear: string[], bounded: Record<string, string> }} */
const { linear, bounded } = JSON.parse(readFileSync(new URL('regexps.json', import.meta.url), 'utf8'));
const known = new Set([...linear, ...Object.keys(bounded)]);

/**
 * Every regular expression is one that recheck found linear, or one whose input is bounded, with the bound.
 * @type {import('./syntax.mjs').Rule}
 */
export const linearRegexps = {
  create(context) {
    /** @param {any} node */
    function check(node) {
      const found = findRegexp(node, (each) => context.sourceCode.getText(/** @type {any} */ (each)));
      if (found === null || known.has(found)) return;
      const message = `Whether ${found.slice(0, 200)} takes linear time is not known: run npm run regexps.`;
      context.report({ node, message });
    }
    return { Literal: check, NewExpression: check, CallExpression: check };
  },
};
