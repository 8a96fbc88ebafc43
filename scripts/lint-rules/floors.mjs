import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * The floors of a module, where its order is worth telling: each entry may import those above it in the list, and none below.
 * Folders end in `/`. A module without an entry, and a file without a line, only has to be free of circles.
 * @type {Record<string, readonly string[]>}
 */
const floors = {
  accounts: ['store/', 'sessions/', 'workspaces/', 'people/', 'sign-in/', 'keys/', 'operations/'],
  actions: [
    'store/',
    'ledger/',
    'approvers/',
    'drafting/',
    'presenting/',
    'sending/',
    'deciding/',
    'undo/',
    'in-call/',
    'operations/',
  ],
  memory: ['rules/', 'store/', 'recalling/', 'linking/', 'constellations/', 'storing/', 'operations/'],
  telegram: ['store/', 'turns/', 'prompts/', 'listening/', 'operations/'],
  connections: ['store/', 'clients/', 'consents/', 'tokens/', 'accounts/', 'operations/'],
  variables: ['consents/', 'store/', 'access/', 'tokens/', 'resolving/', 'requests/', 'links/', 'operations/'],
  'oauth-server': ['store/', 'clients/', 'protocol/', 'consents/', 'operations/'],
};

/**
 * A module has floors: its folders and its own files import in one direction, types too. A folder counts as one piece, so
 * two folders that import from each other are a circle, whichever files do.
 * @type {import('./syntax.mjs').Rule}
 */
export const floorsInModules = {
  create(context) {
    const file = relative(context.cwd, context.filename);
    const [root, name] = /^src\/modules\/([^/]+)\//.exec(file) ?? [];
    if (!root || !name || isTest(file)) return {};
    const from = getPiece(relative(root, file));
    /** @param {{ source?: unknown }} node */
    const check = (node) => {
      const source = node.source && /** @type {{ value?: unknown }} */ (node.source).value;
      if (typeof source !== 'string' || !source.startsWith('.')) return;
      const target = relative(root, join(dirname(file), source));
      const to = getPiece(target);
      const message = target.startsWith('..') || to === from ? null : findFloorProblem(context.cwd, name, from, to);
      if (message) context.report({ node: /** @type {import('./syntax.mjs').Import} */ (node), message });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

/**
 * @param {string} cwd
 * @param {string} module
 * @param {string} from
 * @param {string} to
 */
function findFloorProblem(cwd, module, from, to) {
  const order = floors[module] ?? [];
  if (order.includes(from) && order.includes(to)) {
    if (order.indexOf(to) < order.indexOf(from)) return null;
    return `${to} is above ${from} in ${module} (scripts/lint-rules/floors.mjs). Move what both need below them.`;
  }
  const way = findWay(readGraph(cwd, module), to, from);
  return way && `A circle inside ${module}: ${[from, ...way].join(' → ')}. Move what both need to a file below them.`;
}

/**
 * The pieces from one to another, along imports; null: there is no way.
 * @param {Map<string, Set<string>>} graph
 * @param {string} from
 * @param {string} to
 * @returns {string[] | null}
 */
function findWay(graph, from, to) {
  /** @type {string[][]} */
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    const last = way[way.length - 1] ?? '';
    if (last === to) return way;
    for (const next of graph.get(last) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}

/** @type {Map<string, Map<string, Set<string>>>} */
const graphs = new Map();

/**
 * Which piece of a module imports which, read once.
 * @param {string} cwd
 * @param {string} module
 */
function readGraph(cwd, module) {
  const root = join(cwd, 'src/modules', module);
  const known = graphs.get(root);
  if (known) return known;
  /** @type {Map<string, Set<string>>} */
  const graph = new Map();
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || isTest(path)) continue;
    const from = getPiece(path);
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const [, source = ''] of readFileSync(join(root, path), 'utf8').matchAll(/\bfrom '(\.[^']*)'/g)) {
      const target = join(dirname(path), source);
      if (!target.startsWith('..') && getPiece(target) !== from) targets.add(getPiece(target));
    }
  }
  graphs.set(root, graph);
  return graph;
}

/**
 * The folder of a file of a module, or the file itself where it is in none.
 * @param {string} path
 */
function getPiece(path) {
  const folder = dirname(path);
  return folder === '.' ? path : `${folder}/`;
}

/** @param {string} file */
function isTest(file) {
  return file.endsWith('.test.ts');
}
