// Runs the emulator alone, with the demo accounts: node tests/emulators/google/main.ts --port 4600
import { parseArgs } from 'node:util';
import { seedDemo } from './demo.ts';
import { startGoogleEmulator } from './index.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4600' },
    'redirect-uri': { type: 'string', multiple: true },
    'client-id': { type: 'string' },
    'client-secret': { type: 'string' },
  },
});

const google = await startGoogleEmulator({ port: Number(values.port) });
seedDemo(google, new Date());
const own = values['client-id'] || values['client-secret'] || values['redirect-uri'];
const client = own
  ? google.addClient({
      redirectUris: values['redirect-uri'] ?? google.client.redirectUris,
      ...(values['client-id'] ? { id: values['client-id'] } : {}),
      ...(values['client-secret'] ? { secret: values['client-secret'] } : {}),
    })
  : google.client;

process.stdout.write(
  [
    `Google emulator: ${google.url}`,
    `client id:       ${client.id}`,
    `client secret:   ${client.secret}`,
    `redirect URIs:   ${client.redirectUris.map(String).join(', ')}`,
    `accounts:        ada@example.com, grace@navy.example`,
    '',
  ].join('\n'),
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void google.close();
  });
}
