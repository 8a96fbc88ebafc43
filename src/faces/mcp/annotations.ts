import type { Operation } from '#kernel/operation';
import type { ToolAnnotations } from '@modelcontextprotocol/server';

/** Toolsets whose writes affect another system. */
const outwardToolsets: readonly string[] = ['integrations', 'actions'];

/** The hints by which a client decides whether to ask its person before a call. */
export function buildAnnotations({ effect, toolset, isDestructive = false }: Operation): ToolAnnotations {
  const isWrite = effect === 'write';
  return {
    readOnlyHint: !isWrite,
    destructiveHint: isWrite && isDestructive,
    idempotentHint: !isWrite,
    openWorldHint: effect === 'external_read' || (isWrite && outwardToolsets.includes(toolset)),
  };
}

/** The title of a tool, from its name: `add_memory` is «Add memory». */
export function formatToolTitle(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
