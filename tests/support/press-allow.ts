import type { ChildProcess } from 'node:child_process';
import { Browser, decide, type Session } from './oauth.ts';

/** Every client prints the address that it would open in a browser. */
const askedAt = /https?:\/\/\S+\/oauth\/authorize\?[\w%.~+&=-]+/;

/**
 * Presses Allow as the person of a session once a program says where it asks, and calls the program back as the browser would. Rejects
 * with what it said when it ends before.
 */
export async function pressAllow(program: ChildProcess, server: { url: string }, session: Session): Promise<void> {
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const found = askedAt.exec(said)?.[0];
      if (found) resolve(found);
    };
    program.stdout?.on('data', hear);
    program.stderr?.on('data', hear);
    program.once('exit', (code) => reject(new Error(`it ended (${code}) without asking:\n${said}`)));
  });
  const back = await decide(new Browser(server, session), address);
  await fetch(back);
}
