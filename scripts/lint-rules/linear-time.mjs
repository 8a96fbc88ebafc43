/**
 * Two methods of the platform take the square of the length of a hostile text: Unicode's normalization, and reading a
 * form. Each is called in one place, which bounds it.
 * @type {import('./syntax.mjs').Rule}
 */
export const linearTime = {
  create(context) {
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
        const { name } = callee.property;
        const [first] = node.arguments;
        const isForm = first?.type === 'Literal' && typeof first.value === 'string' && first.value.startsWith('NF');
        if (name === 'normalize' && (isForm || node.arguments.length === 0))
          context.report({
            node,
            message: 'Marks are put in order in square time: use normalizeText of #platform/unicode.',
          });
        if (name === 'parseBody' || name === 'formData')
          context.report({ node, message: 'Forms are read in square time there: use parseForm of #platform/forms.' });
      },
      NewExpression(node) {
        if (node.callee.type !== 'Identifier' || node.callee.name !== 'URLSearchParams') return;
        const [first] = node.arguments;
        if (!first || first.type === 'ObjectExpression' || first.type === 'ArrayExpression') return;
        const isList = first.type === 'CallExpression';
        if (!isList)
          context.report({ node, message: 'It reads a text in square time: use parseForm of #platform/forms.' });
      },
    };
  },
};
