/** What the rules ask of the syntax tree, and the types they share. */

/** @typedef {Extract<Parameters<import('oxlint/plugins-dev').RuleTester['run']>[1], { create: unknown }>} Rule */
/** @typedef {Parameters<NonNullable<ReturnType<Rule['create']>['ImportDeclaration']>>[0]} Import */
/** @typedef {Import['parent']} Node */
/** @typedef {Parameters<NonNullable<ReturnType<Rule['create']>['MemberExpression']>>[0]} Member */

/**
 * The names that an import takes as values, by what they are called in the module; `import * as` counts as the default.
 * @param {Import} node
 */
export function listImportedNames({ importKind, specifiers }) {
  if (importKind === 'type') return [];
  return specifiers.flatMap((specifier) => {
    if (specifier.type !== 'ImportSpecifier') return ['default'];
    if (specifier.importKind === 'type') return [];
    return [specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value];
  });
}

/**
 * Whether the node reads `object.property`, in dots or brackets.
 * @param {Member} node
 * @param {string} object
 * @param {string} property
 */
export function isMember(node, object, property) {
  if (node.object.type !== 'Identifier' || node.object.name !== object) return false;
  if (node.property.type === 'Identifier') return !node.computed && node.property.name === property;
  return node.property.type === 'Literal' && node.property.value === property;
}
