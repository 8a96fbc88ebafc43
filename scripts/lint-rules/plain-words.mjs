import { findDialect } from './dialect.mjs';

/** @typedef {ReturnType<Parameters<import('./syntax.mjs').Rule['create']>[0]['sourceCode']['getAllComments']>[number]} Comment */

/**
 * Comments, messages and the titles of tests use plain words.
 * @type {import('./syntax.mjs').Rule}
 */
export const plainWords = {
  create(context) {
    /** @param {string} text */
    const problemIn = (text) => (text.includes(' ') ? findDialect(text) : null);
    const isTest = /(?:\.(?:test|spec)\.ts|\/(?:tests|emulators|bench)\/.*)$/.test(context.filename);
    return {
      Program() {
        for (const comments of groupLines(context.sourceCode.getAllComments())) {
          const message = problemIn(comments.map(readComment).join(' ').replaceAll(/\s+/g, ' '));
          if (message && comments[0]) context.report({ node: comments[0], message });
        }
      },
      Literal(node) {
        const isRead = typeof node.value === 'string' && (!isTest || isTitle(node));
        const message = isRead && problemIn(node.value);
        if (message) context.report({ node, message });
      },
      TemplateElement(node) {
        const message = isTest ? null : problemIn(node.value.raw);
        if (message) context.report({ node, message });
      },
      JSXText(node) {
        const message = problemIn(node.value.replaceAll(/\s+/g, ' '));
        if (message) context.report({ node, message });
      },
    };
  },
};

/**
 * Whether a text is the title of a test. The other texts of a test are data, which may be in any words.
 * @param {import('./syntax.mjs').Node} node
 */
function isTitle({ parent, ...node }) {
  if (parent?.type !== 'CallExpression' || parent.arguments[0]?.range[0] !== node.range[0]) return false;
  let { callee } = parent;
  while (callee.type === 'CallExpression' || callee.type === 'MemberExpression')
    callee = callee.type === 'CallExpression' ? callee.callee : callee.object;
  return callee.type === 'Identifier' && ['describe', 'it', 'test'].includes(callee.name);
}

/**
 * A phrase may continue in the next line: line comments below each other are one text.
 * @param {Comment[]} comments
 */
function groupLines(comments) {
  /** @type {Comment[][]} */
  const groups = [];
  for (const comment of comments) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    const isNext =
      comment.type === 'Line' && before?.type === 'Line' && comment.loc.start.line === before.loc.end.line + 1;
    if (isNext) last?.push(comment);
    else groups.push([comment]);
  }
  return groups;
}

/**
 * The words of a comment, without the asterisks of its lines and without code.
 * @param {Comment} comment
 */
function readComment({ value }) {
  return value.replaceAll(/^\s*\*/gm, ' ').replaceAll(/`[^`]*`/g, '');
}
