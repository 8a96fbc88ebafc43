// What all tests of a file use, made before the first of them and closed after the last.
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { afterAll, beforeAll } from 'vitest';
import { buildGoogleSettings } from './google.ts';
import { startTestServer, type TestServer } from './server.ts';

type Closable = { close(): Promise<unknown> };

/** Answers what will be there once the tests run. What is shared later in a file may use what is shared before. */
export function share<Thing extends Closable>(make: () => Promise<Thing>): Thing {
  let made: Thing | undefined;
  beforeAll(async () => void (made = await make()));
  afterAll(() => made?.close());
  function find(): Thing {
    if (!made) throw new Error('it is made before the first test, and was used before that');
    return made;
  }
  // It stands for a thing that is not there yet, as an object of the same properties.
  return new Proxy({} as Thing, {
    get: (_target, name) => Reflect.get(find(), name) as unknown,
    ownKeys: () => Reflect.ownKeys(find()),
    getOwnPropertyDescriptor: (_target, name) => Reflect.getOwnPropertyDescriptor(find(), name),
  });
}

/** A server whose Google is the emulator, and that emulator. `settings` are further environment variables. */
export function shareServerWithGoogle(
  settings: Record<string, string> = {},
  options: Parameters<typeof startGoogleEmulator>[0] = {},
): { server: TestServer; google: GoogleEmulator } {
  const google = share(() => startGoogleEmulator(options));
  const server = share(() => startTestServer({ ...buildGoogleSettings(google), ...settings }));
  return { server, google };
}
