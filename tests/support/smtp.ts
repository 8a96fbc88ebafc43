// A mail server on a real port, which keeps what it takes and fails as mail servers do.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail as it was taken: its envelope, its source, and its text without what the transport put in. */
export type TakenMail = { to: string[]; source: string; subject: string; text: string };

/** How the next mails are handled: accepted, refused temporarily, refused permanently, accepted and cut off without an answer, or kept waiting. */
type Mode = 'take' | 'refuse' | 'refuse_for_good' | 'take_and_cut' | 'hold';

export type SmtpServer = {
  url: string;
  taken: TakenMail[];
  /** How many mails were begun, whatever their outcome. */
  begun(): number;
  behave(mode: Mode): void;
  close(): Promise<void>;
};

export async function startSmtp(port = 0): Promise<SmtpServer> {
  const taken: TakenMail[] = [];
  let mode: Mode = 'take';
  let begun = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, session, done) {
      begun += 1;
      const how = mode;
      const source = await text(stream).catch(() => undefined); // its sender went away, or was killed, in the midst of it
      if (source === undefined || how === 'hold') return;
      if (how === 'refuse') return done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
      if (how === 'refuse_for_good') return done(Object.assign(new Error('Never'), { responseCode: 550 }));
      taken.push({ to: session.envelope.rcptTo.map(({ address }) => address), source, ...read(source) });
      if (how === 'take_and_cut') for (const connection of server.connections) connection.close();
      else done();
    },
  });
  server.on('error', () => {}); // connections that are cut off
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  if (typeof address !== 'object' || !address) throw new Error('a listening server has an address');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    taken,
    begun: () => begun,
    behave(how) {
      mode = how;
    },
    async close() {
      for (const connection of server.connections) connection.close();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

/** Undoes what is done to a text mail on its way (RFC 2045 §6.7, RFC 5322 §2.2.3, RFC 2047). */
function read(source: string): { subject: string; text: string } {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const headers = head.replaceAll(/\r\n[ \t]+/g, ' ');
  const body = rest.join('\r\n\r\n').replaceAll('\r\n', '\n');
  const [, encoding = '7bit'] = /^content-transfer-encoding: *(\S+)/im.exec(headers) ?? [];
  const [, subject = ''] = /^subject: *(.*)$/im.exec(headers) ?? [];
  return { subject: decodeHeaderWords(subject.trim()), text: decodeBody(body, encoding.toLowerCase()) };
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(body) : body;
}

function decodeQuotedPrintable(body: string): string {
  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

function decodeHeaderWords(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
    );
}
