import { listImportedNames, isMember } from './syntax.mjs';

/** What opens a connection: any name of the module (`*`), or those that are clients. Servers and types are free. */
const clientsOf = new Map([
  ['undici', ['*']],
  ['dgram', ['*']],
  ['http', ['default', 'request', 'get', 'Agent', 'globalAgent']],
  ['https', ['default', 'request', 'get', 'Agent', 'globalAgent']],
  ['http2', ['default', 'connect']],
  ['net', ['default', 'connect', 'createConnection']],
  ['tls', ['default', 'connect']],
]);
const clientGlobals = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

/**
 * Every outgoing request goes through platform/egress, which knows what may be reached and holds the secrets.
 * @type {import('./syntax.mjs').Rule}
 */
export const noRawNetwork = {
  create(context) {
    const message = (/** @type {string} */ name) => `Reach outside through #platform/egress, not by ${name}.`;
    return {
      ImportDeclaration(node) {
        const clients = clientsOf.get(withoutPrefix(node.source.value)) ?? [];
        const used = listImportedNames(node).find((name) => clients.includes('*') || clients.includes(name));
        if (used) context.report({ node, message: message(`${node.source.value} (${used})`) });
      },
      ImportExpression(node) {
        const module = node.source.type === 'Literal' ? String(node.source.value) : '';
        if (clientsOf.has(withoutPrefix(module))) context.report({ node, message: message(module) });
      },
      MemberExpression(node) {
        const client = clientGlobals.find((name) => isMember(node, 'globalThis', name));
        if (client) context.report({ node, message: message(client) });
      },
      'Program:exit'(node) {
        for (const { identifier } of context.sourceCode.getScope(node).through) {
          const isType = identifier.parent.type === 'TSTypeQuery' || identifier.parent.type === 'TSTypeReference';
          if (isType || !clientGlobals.includes(identifier.name)) continue;
          context.report({ node: identifier, message: message(`the global ${identifier.name}`) });
        }
      },
    };
  },
};

/** @param {string} module */
function withoutPrefix(module) {
  return module.replace(/^node:/, '');
}
