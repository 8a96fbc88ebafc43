/** The bridge refuses plain http to other machines without this flag. */
const getPlainHttpFlags = (url: string) => (/^http:\/\/(?!localhost|127\.)/.test(url) ? ['--allow-http'] : []);

/** A file or a command to paste. `key` is used only if the client accepts one. */
export type Config = { file: string; write: (url: string, key: string) => string };

/** One way to connect a client: only by the URL and a sign-in in the browser, or with a key. */
export type ConnectWay = {
  steps: readonly string[];
  config?: Config;
  /** An address that opens the client and adds the server there. */
  installLink?: (url: string) => string;
  /** Whether it connects from the internet, so that it cannot reach a server in a home network. */
  isRemote?: boolean;
  note?: string;
};

/** An agent that a person may connect, as data. */
export type Client = { id: string; name: string; place: string; url: ConnectWay; key?: ConnectWay };

const formatJson = (value: unknown) => JSON.stringify(value, null, 2);
const buildBearerHeader = (key: string) => ({ Authorization: `Bearer ${key}` });
const allow = 'Your browser opens this server: check what the client asks for and press Allow.';

export const clients: readonly Client[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    place: 'Terminal',
    url: {
      steps: [
        'Run the command in a terminal.',
        'Start `claude`, type `/mcp`, choose thalamus and Authenticate.',
        allow,
      ],
      config: {
        file: 'Terminal',
        write: (url) => `claude mcp add --transport http --scope user thalamus ${url}`,
      },
    },
    key: {
      steps: ['Run the command in a terminal.', 'Start `claude` and type `/mcp`: thalamus is listed as connected.'],
      config: {
        file: 'Terminal',
        write: (url, key) =>
          `claude mcp add --transport http --scope user thalamus ${url} \\\n  --header "Authorization: Bearer ${key}"`,
      },
    },
  },
  {
    id: 'claude',
    name: 'Claude',
    place: 'Web, desktop, phone',
    url: {
      installLink: (url) =>
        `https://claude.ai/customize/connectors?modal=add-custom-connector&connectorName=Thalamus&connectorUrl=${encodeURIComponent(url)}`,
      steps: [
        'Press Add to Claude, or open Settings → Connectors → Add custom connector.',
        'Name it Thalamus, paste the MCP URL if it is not there yet, and press Add.',
        'Press Connect beside it.',
        allow,
      ],
      isRemote: true,
      note: 'In a Team or Enterprise plan, an owner of the organization adds the connector first.',
    },
    key: {
      steps: [
        'In the desktop app, open Settings → Developer → Edit Config.',
        'Paste this into the file. If it has `mcpServers` already, add the `thalamus` part to it.',
        'Quit Claude and open it again.',
      ],
      config: {
        file: 'claude_desktop_config.json',
        write: (url, key) =>
          formatJson({
            mcpServers: {
              thalamus: {
                command: 'npx',
                args: [
                  '-y',
                  'mcp-remote',
                  url,
                  '--header',
                  'Authorization:${THALAMUS_AUTH}',
                  ...getPlainHttpFlags(url),
                ],
                env: { THALAMUS_AUTH: `Bearer ${key}` },
              },
            },
          }),
      },
      note: 'Only for the desktop app. It starts this bridge with Node.js, which you must install.',
    },
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    place: 'Web and apps',
    url: {
      steps: [
        'Open Settings → Apps & Connectors → Advanced settings and switch Developer mode on.',
        'Press Create, name it Thalamus, paste the MCP URL and choose OAuth.',
        allow,
        'Choose the connector in a chat under + → Developer mode.',
      ],
      isRemote: true,
      note: 'What ChatGPT offers depends on your plan. It accepts no key.',
    },
  },
  {
    id: 'cursor',
    name: 'Cursor',
    place: 'Editor',
    url: {
      installLink: (url) =>
        `cursor://anysphere.cursor-deeplink/mcp/install?name=thalamus&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
      steps: [
        'Press Add to Cursor, or paste this into the file.',
        'Press Install, then Connect beside thalamus.',
        allow,
      ],
      config: { file: '~/.cursor/mcp.json', write: (url) => formatJson({ mcpServers: { thalamus: { url } } }) },
    },
    key: {
      steps: [
        'Open Settings → MCP → Add new global MCP server.',
        'Paste this and save.',
        'The dot beside thalamus turns green.',
      ],
      config: {
        file: '~/.cursor/mcp.json',
        write: (url, key) => formatJson({ mcpServers: { thalamus: { url, headers: buildBearerHeader(key) } } }),
      },
    },
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    place: 'GitHub Copilot',
    url: {
      installLink: (url) =>
        `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'thalamus', type: 'http', url }))}`,
      steps: [
        'Press Add to VS Code, or run “MCP: Open User Configuration” from the command palette and paste this.',
        'Press Install, then Start above the entry.',
        allow,
      ],
      config: { file: 'mcp.json', write: (url) => formatJson({ servers: { thalamus: { type: 'http', url } } }) },
    },
    key: {
      steps: [
        'Run “MCP: Open User Configuration” from the command palette.',
        'Paste this and save.',
        'Press Start above the entry, then choose Agent in the chat.',
      ],
      config: {
        file: 'mcp.json',
        write: (url, key) =>
          formatJson({ servers: { thalamus: { type: 'http', url, headers: buildBearerHeader(key) } } }),
      },
    },
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    place: 'Editor',
    url: {
      steps: [
        'Open Settings → Cascade → MCP servers → View raw config.',
        'Paste this and save.',
        'Press Refresh in the list of MCP servers.',
        allow,
      ],
      config: {
        file: '~/.codeium/windsurf/mcp_config.json',
        write: (url) => formatJson({ mcpServers: { thalamus: { serverUrl: url } } }),
      },
    },
    key: {
      steps: [
        'Open Settings → Cascade → MCP servers → View raw config.',
        'Paste this and save.',
        'Press Refresh in the list of MCP servers.',
      ],
      config: {
        file: '~/.codeium/windsurf/mcp_config.json',
        write: (url, key) =>
          formatJson({ mcpServers: { thalamus: { serverUrl: url, headers: buildBearerHeader(key) } } }),
      },
    },
  },
  {
    id: 'other',
    name: 'Other client',
    place: 'MCP over HTTP',
    url: {
      steps: [
        'Add a server of type “Streamable HTTP” with the MCP URL.',
        'Start the sign-in, if the client does not start it automatically.',
        allow,
        'A client that only knows stdio connects through the bridge below.',
      ],
      config: { file: 'Terminal', write: (url) => ['npx -y mcp-remote', url, ...getPlainHttpFlags(url)].join(' ') },
    },
    key: {
      steps: [
        'Add a server of type “Streamable HTTP” with the MCP URL.',
        'Send the key in the Authorization header.',
        'A client that only knows stdio connects through `npx mcp-remote`.',
      ],
      config: {
        file: 'mcp.json',
        write: (url, key) =>
          formatJson({ mcpServers: { thalamus: { type: 'http', url, headers: buildBearerHeader(key) } } }),
      },
    },
  },
];
