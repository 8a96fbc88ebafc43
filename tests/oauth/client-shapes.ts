// How real clients register and ask to be connected, as far as their makers and users describe it.

/** `asks`: what a client sends at the authorization endpoint beside what all of them send. */
type Shape = {
  client: string;
  source: string;
  registers: Record<string, unknown>;
  asks: { redirect_uri: string; resource?: 'mcp' | 'origin' | 'none'; scope?: string; more?: Record<string, string> };
};

const usual = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
const publicClient = { ...usual, token_endpoint_auth_method: 'none' };
const claudeIssue = 'https://github.com/anthropics/claude-ai-mcp/issues/124';

export const clientShapes: readonly Shape[] = [
  {
    client: 'Claude on the web',
    source: claudeIssue,
    registers: {
      ...publicClient,
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      scope: 'claudeai',
    },
    asks: { redirect_uri: 'https://claude.ai/api/mcp/auth_callback', scope: 'claudeai' },
  },
  {
    client: 'Claude on the desktop, by its second host',
    source: 'https://support.claude.com/en/articles/11503834',
    registers: {
      ...publicClient,
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    },
    asks: { redirect_uri: 'https://claude.com/api/mcp/auth_callback' },
  },
  {
    client: 'Claude Code, without a port, and the bare address as resource',
    source: 'https://code.claude.com/docs/en/mcp',
    registers: {
      ...publicClient,
      client_name: 'Claude Code (thalamus)',
      redirect_uris: ['http://localhost/callback'],
      logo_uri: null,
      client_uri: null,
      scope: null,
      contacts: [],
    },
    asks: { redirect_uri: 'http://localhost:54545/callback', resource: 'origin' },
  },
  {
    client: 'ChatGPT, by its stable callback',
    source: 'https://developers.openai.com/apps-sdk/build/auth',
    registers: {
      ...usual,
      client_name: 'ChatGPT',
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    },
    asks: { redirect_uri: 'https://chatgpt.com/connector_platform_oauth_redirect', scope: 'openid email' },
  },
  {
    client: 'ChatGPT, by a callback of its own for each connection',
    source: 'https://developers.openai.com/apps-sdk/build/auth',
    registers: {
      ...publicClient,
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector/oauth/a1B2c3D4'],
    },
    asks: { redirect_uri: 'https://chatgpt.com/connector/oauth/a1B2c3D4' },
  },
  {
    client: 'Cursor, by its scheme',
    source: 'https://cursor.com/docs/context/mcp',
    registers: {
      ...publicClient,
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'http://localhost:8787/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
      ],
    },
    asks: { redirect_uri: 'cursor://anysphere.cursor-mcp/oauth/callback' },
  },
  {
    client: 'Cursor, by its port',
    source: 'https://cursor.com/docs/context/mcp',
    registers: { ...publicClient, client_name: 'Cursor', redirect_uris: ['http://localhost:8787/callback'] },
    asks: { redirect_uri: 'http://localhost:8787/callback' },
  },
  {
    client: 'VS Code, by its usual port',
    source: 'https://github.com/contextstream/mcp-server/issues/57',
    registers: {
      ...publicClient,
      client_name: 'Visual Studio Code',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1', 'http://127.0.0.1:33418', 'https://vscode.dev/redirect'],
    },
    asks: { redirect_uri: 'http://127.0.0.1:33418' },
  },
  {
    client: 'VS Code, by another port',
    source: 'https://github.com/contextstream/mcp-server/issues/57',
    registers: {
      ...publicClient,
      client_name: 'Visual Studio Code',
      redirect_uris: ['http://127.0.0.1/', 'http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
    },
    asks: { redirect_uri: 'http://127.0.0.1:51234/' },
  },
  {
    client: 'Windsurf, by its scheme',
    source: 'https://docs.windsurf.com/windsurf/cascade/mcp',
    registers: {
      ...publicClient,
      client_name: 'Windsurf',
      redirect_uris: ['windsurf://codeium.windsurf/oauth-callback'],
    },
    asks: { redirect_uri: 'windsurf://codeium.windsurf/oauth-callback' },
  },
  {
    client: 'Zed, which reads the metadata at the path of the resource',
    source: 'https://github.com/latitude-dev/latitude-llm/pull/3122',
    registers: { ...publicClient, client_name: 'Zed', redirect_uris: ['http://127.0.0.1:0/callback'] },
    asks: { redirect_uri: 'http://127.0.0.1:40123/callback' },
  },
  {
    client: 'Gemini CLI',
    source: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
    registers: {
      ...usual,
      client_name: 'Gemini CLI MCP Client',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://localhost:7777/oauth/callback'],
      scope: '',
    },
    asks: { redirect_uri: 'http://localhost:7777/oauth/callback', resource: 'mcp' },
  },
  {
    client: 'Cline, by the scheme of its editor',
    source: 'https://github.com/cline/cline/blob/main/src/services/mcp/McpOAuthManager.ts',
    registers: {
      ...publicClient,
      client_name: 'Cline',
      client_uri: 'https://cline.bot',
      software_id: 'cline',
      redirect_uris: ['vscode://saoudrizwan.claude-dev/mcp-auth/callback/5f0c3a9e'],
    },
    asks: { redirect_uri: 'vscode://saoudrizwan.claude-dev/mcp-auth/callback/5f0c3a9e' },
  },
  {
    client: 'Continue, which registers its callback with a state and asks for it without',
    source: 'https://github.com/continuedev/continue/blob/main/core/context/mcp/MCPOauth.ts',
    registers: {
      ...publicClient,
      client_name: 'Continue Dev, Inc',
      client_uri: 'https://continue.dev',
      redirect_uris: ['http://localhost:3000/?state=0b1f6c1e-2f0a-4a53-9d36-6c1f1f0e9b11'],
    },
    asks: { redirect_uri: 'http://localhost:3000' },
  },
  {
    client: 'MCP Inspector',
    source: 'https://github.com/modelcontextprotocol/inspector',
    registers: {
      ...publicClient,
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      redirect_uris: ['http://localhost:6274/oauth/callback', 'http://localhost:6274/oauth/callback/debug'],
    },
    asks: { redirect_uri: 'http://localhost:6274/oauth/callback/debug', resource: 'origin' },
  },
  {
    client: 'mcp-remote, which names no resource and asks for an identity',
    source: 'https://github.com/geelen/mcp-remote',
    registers: {
      ...publicClient,
      client_name: 'MCP CLI Proxy',
      client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.1.30',
      redirect_uris: ['http://localhost:3334/oauth/callback'],
    },
    asks: {
      redirect_uri: 'http://localhost:19876/oauth/callback',
      resource: 'none',
      scope: 'openid email profile',
      more: { nonce: 'n', prompt: 'consent' },
    },
  },
];
