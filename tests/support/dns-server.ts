// A DNS server on a port of its own: answers some names, says that others do not exist, and never answers the rest.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type DnsServer = {
  /** `address:port`, as a resolver takes it. */
  address: string;
  /** Each question, as `A name` or `AAAA name`. */
  asked: string[];
  close(): Promise<void>;
};

/** IPv4 addresses by name; null for a name that does not exist. Names that are not there are never answered. */
export async function startDnsServer(zone: Readonly<Record<string, string | null>>): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, from) => {
    const { name, type, end } = parseQuestion(message);
    asked.push(`${type === 1 ? 'A' : 'AAAA'} ${name}`);
    const address = zone[name];
    if (address === undefined) return;
    const answers = address !== null && type === 1 ? [buildRecord(address)] : [];
    const head = Buffer.alloc(12);
    message.copy(head, 0, 0, 2);
    head.writeUInt16BE(address === null ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([head, message.subarray(12, end), ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((done) => socket.close(() => done())),
  };
}

/** The first question of a message (RFC 1035, section 4.1.2). */
function parseQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** An A record for the name of the question. */
function buildRecord(address: string): Buffer {
  const bytes = address.split('.').map(Number);
  return Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...bytes]);
}
