/** What a node of the syntax tree says about a regular expression. The lint rule and its writer share it. */

/** @typedef {{ type: string, start?: number, end?: number, range?: [number, number], regex?: { pattern: string, flags: string }, callee?: { type: string, name?: string } }} Node */

/**
 * The expression that a node makes: `/pattern/flags`, or the text of the call for one that is put together.
 * @param {Node} node
 * @param {(node: Node) => string} textOf
 */
export function findRegexp(node, textOf) {
  if (node.type === 'Literal' && node.regex) return `/${node.regex.pattern}/${node.regex.flags}`;
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
  if (!isCall || node.callee?.type !== 'Identifier' || node.callee.name !== 'RegExp') return null;
  return textOf(node).replaceAll(/\s+/g, ' ');
}
