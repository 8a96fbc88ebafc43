import { dirname, join, relative } from 'node:path';

/**
 * Who may import whom, by `#layer/name`. Dependencies run one way; src/server.ts alone is above them.
 * @type {Record<string, string[]>}
 */
const mayImport = {
  kernel: ['kernel'],
  platform: ['kernel', 'platform'],
  providers: ['kernel', 'platform', 'providers'],
  modules: ['kernel', 'platform', 'providers', 'modules'],
  faces: ['kernel', 'platform', 'providers', 'modules', 'faces'],
};
/** What providers share, from the ground up: each uses those before it. All else is a provider, and uses no other provider. */
const sharedByProviders = ['http', 'reading', 'writing', 'described', 'kit'];
const kernelPackages = /^zod$/;
const kernelTypePackages = /^(zod|kysely)$/;

/**
 * Holds the direction of dependencies, and that a part of a layer is imported only through its index.
 * @type {import('./syntax.mjs').Rule}
 */
export const layers = {
  create(context) {
    const file = relative(context.cwd, context.filename);
    const place = findLayer(file);
    if (!place) return {};
    /** @param {{ source?: unknown, importKind?: string, exportKind?: string }} node */
    const check = (node) => {
      const source = getModuleName(node.source);
      const isType = node.importKind === 'type' || node.exportKind === 'type';
      const message = source && findImportProblem(source, { ...place, file, isType });
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
function findImportProblem(source, { layer, part, file, isType }) {
  const isTest = file.endsWith('.test.ts');
  if (source.startsWith('.')) {
    const target = join(dirname(file), source);
    const isInside = target.startsWith(part) || (isTest && target.startsWith('tests/'));
    return isInside
      ? undefined
      : 'Another part is reached by its index alone: #kernel/…, #platform/…, #providers/…, #modules/….';
  }
  const [, other, name = ''] = /^#(kernel|platform|providers|modules|faces|emulators)(?:\/(.+))?$/.exec(source) ?? [];
  if (other) {
    if (other === 'providers' && layer === 'providers' && !isTest && !mayShare(part, name))
      return `Providers share ${sharedByProviders.join(' ← ')}, and know nothing of each other.`;
    const isAllowed = mayImport[layer]?.includes(other) || (isTest && other === 'emulators');
    return isAllowed
      ? undefined
      : `${layer} may not import ${other}: kernel ← platform ← providers ← modules ← faces ← server.ts.`;
  }
  const isPure = (isType ? kernelTypePackages : kernelPackages).test(source);
  if (layer !== 'kernel' || isTest || isPure) return undefined;
  return 'The kernel is pure: zod, and the types of kysely. What it needs from outside is a port.';
}

/**
 * Whether a part of the providers' floor may import another one. The list of providers, at the top, is for the modules.
 * @param {string} part
 * @param {string} other
 */
function mayShare(part, other) {
  const own = sharedByProviders.indexOf(part.split('/')[2] ?? '');
  const wanted = sharedByProviders.indexOf(other);
  return wanted >= 0 && (own < 0 || wanted < own);
}

/**
 * The layer of a file and the folder it may move in by relative paths: the whole kernel, or one part of another layer.
 * @param {string} file
 */
function findLayer(file) {
  const match = /^src\/(kernel|platform|providers|modules|faces)\/(?:([^/]+)\/)?/.exec(file);
  const layer = match?.[1];
  if (!match || !layer) return undefined;
  return { layer, part: layer === 'kernel' ? 'src/kernel/' : match[0] };
}

/** @param {unknown} source */
function getModuleName(source) {
  const isLiteral = typeof source === 'object' && source !== null && 'value' in source;
  return isLiteral && typeof source.value === 'string' ? source.value : undefined;
}
