// Setups to copy into Make, Zapier, n8n or a script, so that they send here. `setups.test.ts` sends what each of them
// sends.

export type Setup = { product: (typeof products)[number]; title: string; steps: string[]; copy: string };

export const products = ['make', 'zapier', 'n8n', 'curl'] as const;

/** The placeholder of the token, which cannot be shown again. */
export const tokenPlace = 'zwh_YOUR_WEBHOOK_TOKEN';

const fields = ['content', 'source_channel', 'source_user', 'source_id', 'thread_id'];

export function buildSetups(ingestUrl: string): Setup[] {
  return [buildMakeSetup(ingestUrl), buildZapierSetup(ingestUrl), buildN8nSetup(ingestUrl), buildCurlSetup(ingestUrl)];
}

/** A form body: Make inserts fields with quotes and line breaks, which would break a raw JSON body. */
function buildMakeSetup(url: string): Setup {
  const value = (name: string) => `{{var.input.${name}}}`;
  const tool = {
    name: 'Send to Thalamus',
    description: 'Sends a text to the shared memory, which stores it in the brain that fits.',
    inputs: fields.map((name) => ({ name, type: 'text', required: name === 'content' })),
    module: {
      module: 'http:ActionSendData',
      version: 3,
      parameters: { handleErrors: true },
      mapper: {
        url,
        method: 'post',
        headers: [{ name: 'Authorization', value: `Bearer ${tokenPlace}` }],
        qs: [],
        bodyType: 'x_www_form_urlencoded',
        formDataFields: fields.map((name) => ({ key: name, value: value(name) })),
        parseResponse: true,
        timeout: 30,
        serializeUrl: false,
        shareCookies: false,
        rejectUnauthorized: true,
        followRedirect: true,
        followAllRedirects: false,
        useQuerystring: false,
        gzip: true,
        useMtls: false,
      },
    },
  };
  return {
    product: 'make',
    title: 'Make: HTTP, Make a request',
    steps: [
      'Create a tool from the text below, or add the module "HTTP: Make a request" and fill in the same fields.',
      'Map your trigger to the inputs: for Gmail, content = text, source_channel = gmail, source_user = the sender’s address, thread_id = the thread.',
    ],
    copy: JSON.stringify(tool, null, 2),
  };
}

function buildZapierSetup(url: string): Setup {
  const lines = [
    `URL           ${url}`,
    'Payload Type  json',
    'Data          content         {{body_plain}}',
    '              source_channel  gmail',
    '              source_user     {{from_email}}',
    '              source_id       {{id}}',
    '              thread_id       {{thread_id}}',
    `Headers       Authorization   Bearer ${tokenPlace}`,
  ];
  return {
    product: 'zapier',
    title: 'Zapier: Webhooks by Zapier, POST',
    steps: [
      'Choose a trigger, such as Gmail: New Email.',
      'Add the action "Webhooks by Zapier: POST" and fill in the fields below. The MCP tool of Zapier accepts the same fields.',
    ],
    copy: lines.join('\n'),
  };
}

function buildN8nSetup(url: string): Setup {
  const parameters = {
    method: 'POST',
    url,
    sendHeaders: true,
    headerParameters: { parameters: [{ name: 'Authorization', value: `Bearer ${tokenPlace}` }] },
    sendBody: true,
    contentType: 'json',
    specifyBody: 'keypair',
    bodyParameters: {
      parameters: fields.map((name) => ({
        name,
        value: name === 'content' ? '={{ $json.text }}' : name === 'source_channel' ? 'gmail' : `={{ $json.${name} }}`,
      })),
    },
    options: {},
  };
  const node = {
    parameters,
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    position: [0, 0],
    name: 'Send to Thalamus',
  };
  return {
    product: 'n8n',
    title: 'n8n: HTTP Request node',
    steps: [
      'Copy the text below and paste it onto the canvas of a workflow.',
      'Connect your trigger and map its fields.',
    ],
    copy: JSON.stringify({ nodes: [node], connections: {} }, null, 2),
  };
}

function buildCurlSetup(url: string): Setup {
  return {
    product: 'curl',
    title: 'A script',
    steps: ['Send one request for each text. A repeated source_id replaces the earlier text, so a retry is safe.'],
    copy: [
      `curl -X POST ${url} \\`,
      `  -H 'Authorization: Bearer ${tokenPlace}' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{"content": "Meeting notes…", "source_channel": "fathom", "source_id": "meeting-17"}'`,
    ].join('\n'),
  };
}
