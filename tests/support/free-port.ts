import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports that no system gives to outgoing connections, so that nobody takes one between this look and its use. */
const [least, most] = [10_000, 30_000];

/** A port nobody listens on now. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(least, most);
    const probe = createServer();
    const isFree = once(probe, 'listening').then(
      () => true,
      () => false,
    );
    probe.listen(port, '127.0.0.1');
    if (!(await isFree)) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
