import type { Catalogue } from '#kernel/catalogue';

/** The text that tells a model what this server is and what it can do there. */
export function formatLlmsText({
  catalogue,
  toolsets,
  publicUrl,
}: {
  catalogue: Catalogue;
  toolsets: readonly string[];
  publicUrl: string;
}): string {
  const groups = toolsets.map((toolset) => {
    const operations = [...catalogue.values()].filter((operation) => operation.toolset === toolset);
    const lines = operations.map(({ name, summary }) => `- \`${name}\`: ${summary}`);
    return lines.length ? `## ${toolset}\n\n${lines.join('\n')}\n` : '';
  });
  return `# Thalamus

> A shared memory for AI agents, integrations they use without holding a credential, and writes that wait for a person's approval.

- MCP endpoint: ${publicUrl}/mcp (Streamable HTTP, \`Authorization: Bearer cm_…\`)
- REST: \`POST ${publicUrl}/v1/tools/{name}\` with the input as JSON
- OpenAPI: ${publicUrl}/openapi.json, browsable at ${publicUrl}/docs

Call \`load_brain\` first in every conversation. Store what matters with \`add_memory\`, look things up with \`search_memory\`,
and call \`log_session\` before you finish. Writes to the outside are drafted with \`act_on_integration\`: show the preview to the
person and let them decide.

${groups.filter(Boolean).join('\n')}`;
}
