const callerName = /^caller$|Caller$/;
const kindNames = new Set(['callerKind', 'caller_kind', 'drafted_by_kind', 'starter_kind']);
const lookups = new Set(['includes', 'indexOf', 'has', 'startsWith']);
const comparisons = new Set(['===', '!==', '==', '!=']);

const ask = 'Ask for a property of the kind (#kernel/caller), not for a kind: a new kind of caller is one row there.';
const whole = 'Write caller.kind, and take it from nothing else: lint then sees each use.';
const make = 'Only createCaller of #kernel/caller makes a caller.';

/**
 * Outside the kernel, code asks for the properties of a caller's kind and never for the kind itself, and nothing but `createCaller`
 * makes a caller. So a new kind needs only its row in `caller-kinds.ts`.
 * @type {import('./syntax.mjs').Rule}
 */
export const noCallerKinds = {
  create(context) {
    const report = (/** @type {any} */ node, /** @type {string} */ message) => context.report({ node, message });
    /** @param {any} node a function */
    const checkParameters = (node) => {
      for (const parameter of node.params) {
        const type = parameter.typeAnnotation?.typeAnnotation;
        const isOne = parameter.type === 'ObjectPattern' && type && isCallerType(type);
        if (isOne && hasKey(parameter, 'kind')) report(parameter, whole);
      }
    };
    return {
      BinaryExpression(node) {
        if (!comparisons.has(node.operator)) return;
        const { left, right } = node;
        if ((isKind(left) && isText(right)) || (isKind(right) && isText(left))) report(node, ask);
      },
      SwitchStatement(node) {
        if (isKind(node.discriminant)) report(node.discriminant, ask);
      },
      CallExpression({ callee, arguments: [first] }) {
        const method = callee.type === 'MemberExpression' && getPropertyName(callee);
        if (method && lookups.has(method) && first && isKind(first)) report(first, ask);
      },
      VariableDeclarator({ id, init }) {
        if (id.type === 'ObjectPattern' && init && isCaller(init) && hasKey(id, 'kind')) report(id, whole);
      },
      ObjectPattern(node) {
        for (const property of node.properties)
          if (property.type === 'Property' && isKey(property, 'caller') && hasKey(property.value, 'kind'))
            report(property, whole);
      },
      ObjectExpression(node) {
        const isOther = node.properties.some((each) => each.type === 'SpreadElement' && isCaller(each.argument));
        if (isOther && hasKey(node, 'kind') && !isMade(node)) report(node, make);
      },
      TSAsExpression(node) {
        if (isCallerType(node.typeAnnotation)) report(node, make);
      },
      FunctionDeclaration: checkParameters,
      FunctionExpression: checkParameters,
      ArrowFunctionExpression: checkParameters,
    };
  },
};

/** @param {any} node */
function isKind(node) {
  const inner = node.type === 'ChainExpression' ? node.expression : node;
  if (inner.type === 'Identifier') return kindNames.has(inner.name);
  if (inner.type !== 'MemberExpression') return false;
  const name = getPropertyName(inner);
  return kindNames.has(name) || (name === 'kind' && isCaller(inner.object));
}

/**
 * @param {any} node
 * @returns {boolean}
 */
function isCaller(node) {
  if (node.type === 'ChainExpression' || node.type === 'TSNonNullExpression') return isCaller(node.expression);
  if (node.type === 'Identifier') return callerName.test(node.name);
  return node.type === 'MemberExpression' && callerName.test(getPropertyName(node));
}

/**
 * @param {any} node a type: `Caller`, or a part of it by `Pick` or `Omit`
 * @returns {boolean}
 */
function isCallerType(node) {
  if (node.type !== 'TSTypeReference' || node.typeName.type !== 'Identifier') return false;
  if (node.typeName.name === 'Caller') return true;
  const [whole] = (node.typeArguments ?? node.typeParameters)?.params ?? [];
  return ['Pick', 'Omit'].includes(node.typeName.name) && whole !== undefined && isCallerType(whole);
}

/** @param {any} node */
function isText(node) {
  return (node.type === 'Literal' && typeof node.value === 'string') || node.type === 'TemplateLiteral';
}

/** @param {any} node */
function isMade({ parent }) {
  return parent.type === 'CallExpression' && parent.callee.name === 'createCaller';
}

/**
 * @param {any} node
 * @param {string} name
 */
function hasKey(node, name) {
  const properties = node.type === 'AssignmentPattern' ? node.left.properties : node.properties;
  return (properties ?? []).some((/** @type {any} */ each) => each.type === 'Property' && isKey(each, name));
}

/**
 * @param {any} property
 * @param {string} name
 */
function isKey({ key, computed }, name) {
  return !computed && (key.name === name || key.value === name);
}

/** @param {any} node */
function getPropertyName({ property, computed }) {
  if (!computed) return property.type === 'Identifier' ? property.name : '';
  return property.type === 'Literal' ? String(property.value) : '';
}
