import { firstWords } from './verbs.mjs';

/**
 * Names that say all in one word, as the field uses them, creators of zod schemas, which are named like the schema, and names that
 * programs outside this tree use.
 */
const allowedFunctions = new Set([
  'median',
  'percentile',
  'uri',
  'itemId',
  'separateItemId',
  'itemIdList',
  'now',
  'newId',
  'nextTime',
  'createBoardIn',
  'setup',
]);
const endsInPreposition = /(?:Of|In|For|By)$/;
/** `signIn` and its like are verbs of two words. */
const phrasalVerb = /(?:^signIn|SignIn|LogIn|OptIn)$/;
/** Words for how a thing was made instead of what it is. No name that is declared here has one. */
const oldWords =
  /(?:(?:^|_)(?:wish(?:es|ed)?|told|tell|ruled|looked|remembered|troubles?)|Wish(?:es|ed)?|Told|Tell|Ruled|Looked|Remembered|Troubles?|mayLeave)(?![a-z])/;
/** Names of columns and of stored JSON, which stay. */
const storedNames = new Set(['trouble', 'turns_told', 'half_told', 'told_at']);
/** Nouns that look like participles. */
const nounsInEd = new Set(['Feed', 'Seed', 'Need', 'Embed', 'Speed', 'Bed']);
const notNouns = new Set(
  `Kept Found Given Wanted Held Sent Made Told Known Seen Left Lost Bound Built Chosen Done Drawn Hidden Met Paid Put Read Said Set
   Shown Sought Spent Spoken Stolen Taken Taught Thought Thrown Torn Understood Written Begun Bought Brought Caught Cut Dealt Driven
   Fallen Forgotten Frozen Gone Grown Heard Laid Led Meant Overtaken Proven Run Sold Shut Spread Undone Unread Won Wound
   Of In For By At On From To With Without Within Into Onto Under Over About After Before Between Beyond Through
   Good Bad Big Small Large Long Short Full Empty New Old Open Free Whole Plain Fresh Stale Due Late Early First Last Next Own Other Same
   Such All Any Both Each Every Many Most Much None Some Few Public Local Global Valid Invalid Ready Busy`.split(/\s+/),
);

/**
 * Functions begin with a verb, or with is, has, can or may; types are nouns. See CONTRIBUTING.md.
 * @type {import('./syntax.mjs').Rule}
 */
export const names = {
  create(context) {
    const isReact = context.filename.endsWith('.tsx');
    /** @param {{ name: string } | null | undefined} id */
    const checkFunction = (id) => {
      if (!id || (isReact && /^[A-Z]/.test(id.name))) return;
      const message = findFunctionProblem(id.name);
      if (message) context.report({ node: /** @type {any} */ (id), message });
    };
    /** @param {{ name: string }} id */
    const checkWords = (id) => {
      if (!oldWords.test(id.name) || storedNames.has(id.name)) return;
      const message = `"${id.name}" has a word of an older dialect. Say what it is: request, error, emit, notify, isSkippable.`;
      context.report({ node: /** @type {any} */ (id), message });
    };
    /** @param {any} node */
    const checkParams = ({ params }) => params.flatMap(listDeclared).forEach(checkWords);
    /** @param {any} node */
    const checkKey = ({ key }) => {
      if (key.type === 'Identifier') checkWords(key);
    };
    return {
      VariableDeclarator: ({ id }) => listDeclared(id).forEach(checkWords),
      FunctionDeclaration(node) {
        if (node.id) checkWords(node.id);
        checkParams(node);
      },
      FunctionExpression: checkParams,
      ArrowFunctionExpression: checkParams,
      TSFunctionType: checkParams,
      TSMethodSignature(node) {
        checkKey(node);
        checkParams(node);
      },
      TSPropertySignature: checkKey,
      PropertyDefinition: checkKey,
      TSTypeAliasDeclaration: ({ id }) => checkWords(id),
      Program({ body }) {
        for (const statement of body) {
          const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
          if (node?.type === 'FunctionDeclaration') checkFunction(node.id);
          if (node?.type === 'TSTypeAliasDeclaration') {
            const message = findTypeProblem(node.id.name);
            if (message) context.report({ node: node.id, message });
          }
          if (node?.type !== 'VariableDeclaration') continue;
          for (const { id, init } of node.declarations) {
            const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
            if (isFunction && id.type === 'Identifier') checkFunction(id);
          }
        }
      },
    };
  },
};

/**
 * The names that a parameter or a variable declares. Those of a shorthand (`{ trouble }`) belong to what is taken apart.
 * @param {any} pattern
 * @returns {{ name: string }[]}
 */
function listDeclared(pattern) {
  if (pattern?.type === 'Identifier') return [pattern];
  if (pattern?.type === 'AssignmentPattern') return listDeclared(pattern.left);
  if (pattern?.type === 'RestElement') return listDeclared(pattern.argument);
  if (pattern?.type === 'ArrayPattern') return pattern.elements.flatMap(listDeclared);
  if (pattern?.type !== 'ObjectPattern') return [];
  return pattern.properties.flatMap((/** @type {any} */ each) =>
    each.type === 'RestElement' ? listDeclared(each) : each.shorthand ? [] : listDeclared(each.value),
  );
}

/** @param {string} name */
function findFunctionProblem(name) {
  if (allowedFunctions.has(name)) return null;
  if (endsInPreposition.test(name) && !phrasalVerb.test(name)) {
    return `"${name}" ends in a preposition. Begin with a verb and name the thing: readTitle, not titleOf.`;
  }
  const first = /^[a-z0-9]+|^[A-Z][a-z]*/.exec(name)?.[0] ?? name;
  if (firstWords.has(first)) return null;
  return `"${name}" does not begin with a verb, or with is, has, can or may. Verbs stand in scripts/lint-rules/verbs.mjs.`;
}

/** @param {string} name */
function findTypeProblem(name) {
  const isParticiple = /^[A-Z][a-z]+ed$/.test(name) && !nounsInEd.has(name);
  return isParticiple || notNouns.has(name)
    ? `The type "${name}" is not a noun. Name what it is: DraftInput, LockedDraft.`
    : null;
}
