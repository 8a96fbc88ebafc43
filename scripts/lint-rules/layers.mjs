import { dirname, join, relative } from 'node:path';

/**
 * Who may import whom, by `#layer/name`. Dependencies run one way; src/server.ts alone is above them.
 * @type {Record<string, string[]>}
 */
const mayImport = {
  kernel: ['kernel'],
  platform: ['kernel', 'platform'],
  modules: ['kernel', 'platform', 'modules'],
  faces: ['kernel', 'platform', 'modules', 'faces'],
};
const kernelPackages = /^zod$/;
const kernelTypePackages = /^(zod|kysely)$/;

/**
 * Holds the direction of dependencies, and that a part of a layer is reached by its index alone.
 * @type {import('./syntax.mjs').Rule}
 */
export const layers = {
  create(context) {
    const file = relative(context.cwd, context.filename);
    const place = placeOf(file);
    if (!place) return {};
    /** @param {{ source?: unknown, importKind?: string, exportKind?: string }} node */
    const check = (node) => {
      const source = moduleName(node.source);
      const isType = node.importKind === 'type' || node.exportKind === 'type';
      const message = source && faultOf(source, { ...place, file, isType });
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

/**
 * @param {string} source
 * @param {{ layer: string, part: string, file: string, isType: boolean }} from
 */
function faultOf(source, { layer, part, file, isType }) {
  const isTest = file.endsWith('.test.ts');
  if (source.startsWith('.')) {
    const target = join(dirname(file), source);
    const isInside = target.startsWith(part) || (isTest && target.startsWith('tests/'));
    return isInside ? undefined : 'Another part is reached by its index alone: #kernel/…, #platform/…, #modules/….';
  }
  const other = /^#(\w+)\//.exec(source)?.[1];
  if (other) {
    const isAllowed = mayImport[layer]?.includes(other) || (isTest && other === 'emulators');
    return isAllowed ? undefined : `${layer} may not import ${other}: kernel ← platform ← modules ← faces ← server.ts.`;
  }
  const isPure = (isType ? kernelTypePackages : kernelPackages).test(source);
  if (layer !== 'kernel' || isTest || isPure) return undefined;
  return 'The kernel is pure: zod, and the types of kysely. What it needs from outside is a port.';
}

/**
 * The layer of a file and the folder it may move in by relative paths: the whole kernel, or one part of another layer.
 * @param {string} file
 */
function placeOf(file) {
  const match = /^src\/(kernel|platform|modules|faces)\/(?:([^/]+)\/)?/.exec(file);
  const layer = match?.[1];
  if (!match || !layer) return undefined;
  return { layer, part: layer === 'kernel' ? 'src/kernel/' : match[0] };
}

/** @param {unknown} source */
function moduleName(source) {
  const isLiteral = typeof source === 'object' && source !== null && 'value' in source;
  return isLiteral && typeof source.value === 'string' ? source.value : undefined;
}
