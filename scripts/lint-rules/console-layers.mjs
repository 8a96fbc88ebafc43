import { dirname, join, relative } from 'node:path';

/** The floors of the console. A file may import from its own floor and from those before it. */
const floors = ['api', 'routing', 'design', 'entities', 'features', 'shell'];

/**
 * Features that others build on, the lowest first. One of them may import from those before it. Any other feature may
 * import from all of these, and nothing imports from it but the list `features/index.ts` and the shell.
 */
const baseFeatures = [
  'actions',
  'connections',
  'telegram',
  'integrations',
  'memory',
  'brains',
  'accounts',
  'automations',
  'outputs',
  'ingest',
];

/**
 * Holds the direction of dependencies in the console.
 * @type {import('./syntax.mjs').Rule}
 */
export const consoleLayers = {
  create(context) {
    const from = locate(relative(context.cwd, context.filename));
    if (!from) return {};
    /** @param {{ source?: unknown }} node */
    const check = (node) => {
      const source = readSource(node.source);
      if (!source?.startsWith('.')) return;
      const to = locate(join(dirname(relative(context.cwd, context.filename)), source));
      const message = to && explainFault(from, to);
      if (message) context.report({ node: /** @type {import('./syntax.mjs').Import} */ (node), message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

/** @typedef {{ floor: number, feature: string | undefined }} Location */

/**
 * @param {Location} from
 * @param {Location} to
 */
function explainFault(from, to) {
  if (to.floor > from.floor) return `The console has these floors: ${floors.join(' ← ')} ← router.ts.`;
  const isWithinFeatures = from.floor === to.floor && from.feature && to.feature && from.feature !== to.feature;
  if (!isWithinFeatures) return undefined;
  const target = baseFeatures.indexOf(to.feature ?? '');
  const own = baseFeatures.indexOf(from.feature ?? '');
  if (target >= 0 && (own < 0 || target < own)) return undefined;
  return `${from.feature} may not import ${to.feature}. What both need goes to console/src/entities or console/src/design.`;
}

/**
 * The floor of a file of the console, and its feature. Files above the floors, such as `router.ts`, have none.
 * @param {string} file
 * @returns {Location | undefined}
 */
function locate(file) {
  const [floorName, ...rest] = file.startsWith('console/src/') ? file.slice('console/src/'.length).split('/') : [];
  const floor = floors.indexOf(floorName ?? '');
  if (!rest.length || floor < 0) return undefined;
  return { floor, feature: floorName === 'features' && rest.length > 1 ? rest[0] : undefined };
}

/** @param {unknown} source */
function readSource(source) {
  const isLiteral = typeof source === 'object' && source !== null && 'value' in source;
  return isLiteral && typeof source.value === 'string' ? source.value : undefined;
}
