import { listImportedNames, isMember } from './syntax.mjs';

const message = 'Settings are read once, in platform/config: take the value as a parameter.';

/**
 * Settings have one place and one type; nothing else reads the environment.
 * @type {import('./syntax.mjs').Rule}
 */
export const noProcessEnv = {
  create(context) {
    return {
      MemberExpression(node) {
        if (isMember(node, 'process', 'env')) context.report({ node, message });
      },
      VariableDeclarator(node) {
        const isProcess = node.init?.type === 'Identifier' && node.init.name === 'process';
        if (isProcess && node.id.type === 'ObjectPattern') context.report({ node, message });
      },
      ImportDeclaration(node) {
        const isProcess = /^(node:)?process$/.test(node.source.value);
        if (isProcess && listImportedNames(node).includes('env')) context.report({ node, message });
      },
    };
  },
};
