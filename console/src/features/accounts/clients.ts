/** The bridge refuses plain http to other machines unless it is told that this is meant. */
const plainHttp = (url: string) => (/^http:\/\/(?!localhost|127\.)/.test(url) ? ['--allow-http'] : []);

/** The agents a person may connect, as data: where the config goes, what it says, and what to do step by step. */
export type Client = {
  id: string;
  name: string;
  /** Where the steps happen; shown under the name. */
  place: string;
  steps: readonly string[];
  /** What to paste; null when the client is told by its own dialog. */
  config: { file: string; write: (url: string, key: string) => string } | null;
  /** Connects from the internet and signs in by OAuth, so an address in the home network and a key are no use. */
  isRemote?: boolean;
  note?: string;
};

const json = (value: unknown) => JSON.stringify(value, null, 2);
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

export const clients: readonly Client[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    place: 'Terminal',
    steps: ['Run the command in a terminal.', 'Start `claude` and type `/mcp`: thalamus is listed as connected.'],
    config: {
      file: 'Terminal',
      write: (url, key) =>
        `claude mcp add --transport http --scope user thalamus ${url} \\\n  --header "Authorization: Bearer ${key}"`,
    },
  },
  {
    id: 'claude',
    name: 'Claude',
    place: 'Desktop app',
    steps: [
      'Open Settings → Developer → Edit Config.',
      'Paste this into the file; when it has `mcpServers` already, add the `thalamus` part to it.',
      'Quit Claude and open it again.',
    ],
    config: {
      file: 'claude_desktop_config.json',
      write: (url, key) =>
        json({
          mcpServers: {
            thalamus: {
              command: 'npx',
              args: ['-y', 'mcp-remote', url, '--header', 'Authorization:${THALAMUS_AUTH}', ...plainHttp(url)],
              env: { THALAMUS_AUTH: `Bearer ${key}` },
            },
          },
        }),
    },
    note: 'The desktop app starts this bridge with Node.js, which has to be installed. Claude on the web and on a phone connects from the internet and by OAuth, as ChatGPT does.',
  },
  {
    id: 'cursor',
    name: 'Cursor',
    place: 'Editor',
    steps: [
      'Open Settings → MCP → Add new global MCP server.',
      'Paste this and save.',
      'The dot beside thalamus turns green.',
    ],
    config: {
      file: '~/.cursor/mcp.json',
      write: (url, key) => json({ mcpServers: { thalamus: { url, headers: bearer(key) } } }),
    },
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    place: 'Editor',
    steps: [
      'Open Settings → Cascade → MCP servers → View raw config.',
      'Paste this and save.',
      'Press Refresh in the list of MCP servers.',
    ],
    config: {
      file: '~/.codeium/windsurf/mcp_config.json',
      write: (url, key) => json({ mcpServers: { thalamus: { serverUrl: url, headers: bearer(key) } } }),
    },
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    place: 'GitHub Copilot',
    steps: [
      'Run “MCP: Open User Configuration” from the command palette.',
      'Paste this and save.',
      'Press Start above the entry, then choose Agent in the chat.',
    ],
    config: {
      file: 'mcp.json',
      write: (url, key) => json({ servers: { thalamus: { type: 'http', url, headers: bearer(key) } } }),
    },
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    place: 'Web and apps',
    steps: [
      'Open Settings → Apps & Connectors → Advanced and switch Developer mode on.',
      'Create a connector with the MCP URL above.',
      'Choose the connector in a chat under + → Developer mode.',
    ],
    config: null,
    isRemote: true,
    note: 'What ChatGPT offers depends on your plan. It signs in by OAuth and takes no key.',
  },
  {
    id: 'other',
    name: 'Any other',
    place: 'MCP over HTTP',
    steps: [
      'Add a server of type “Streamable HTTP” with the MCP URL.',
      'Send the key in the Authorization header.',
      'A client that knows stdio alone reaches it through `npx mcp-remote`.',
    ],
    config: {
      file: 'mcp.json',
      write: (url, key) => json({ mcpServers: { thalamus: { type: 'http', url, headers: bearer(key) } } }),
    },
  },
];
