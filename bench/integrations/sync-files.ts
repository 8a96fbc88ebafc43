// How much memory large files take that come with mails, while they are read in and while they are handed over.
import { createHash } from 'node:crypto';
import type { Bench, Table } from '../table.ts';
import { account, buildBarRow, withMailbox, type ReadMailbox } from './reading.ts';
import { chooseSize } from '../size.ts';

const mails = chooseSize(400, 4);
const mailboxes = [
  { files: 0, megabytes: 0 },
  { files: chooseSize(8, 1), megabytes: 5 },
  { files: chooseSize(8, 1), megabytes: 24 },
  { files: chooseSize(32, 2), megabytes: 24 },
];
const barMegabytes = 400;

/** The memory limit with large files, for any number and size. */
export async function measureSyncFiles(bench: Bench): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const mailbox of mailboxes) rows.push(...(await measureFiles(bench, mailbox)));
  return { title: `A mailbox of ${mails} mails with large files`, rows };
}

type FilledMailbox = (typeof mailboxes)[number];

function measureFiles(bench: Bench, { files, megabytes }: FilledMailbox): Promise<Table['rows']> {
  const name = `${files} of ${megabytes} MB`;
  bench.note(name);
  const hashes = new Set<string>();
  const fill: Parameters<typeof withMailbox>[1] = (google) => {
    for (let number = 0; number < mails; number += 1) {
      const content = number < files ? buildFile(number, megabytes * 1_000_000) : null;
      if (content) hashes.add(computeSha256(content));
      // Half of them are texts, whose words are read too.
      const [filename, mimeType] =
        number % 2 ? ['scan.bin', 'application/octet-stream'] : ['measurements.csv', 'text/csv'];
      google.seedMail(account, {
        from: `sender${number % 97}@example.com`,
        subject: `Subject number ${number}`,
        text: `Message ${number}.`,
        ...(content && { attachments: [{ filename, mimeType, content }] }),
      });
    }
    return mails;
  };
  return withMailbox(bench, fill, async (mailbox) => {
    bench.note('the mailbox is filled');
    const { seconds, megabytes: peak } = await mailbox.first();
    bench.note('handed over, eight at a time');
    const handed = await downloadFiles(mailbox);
    if (handed.length !== files || handed.some((hash) => !hashes.has(hash)))
      throw new Error(`${handed.length} files came back, or others than were sent`);
    const { megabytes: after } = await mailbox.again();
    return [
      { name: `${name}: read in`, value: `${seconds.toFixed(1)} s` },
      buildBarRow(`${name}: memory to read them in at most ${barMegabytes} MB`, peak, barMegabytes, ' MB'),
      { name: `${name}: and to hand them over, eight at a time`, value: `${after.toFixed(1)} MB` },
    ];
  });
}

/** Text that differs from file to file and from line to line. */
function buildFile(number: number, bytes: number): Buffer {
  const line = Buffer.from(`${number};the tide of that week;${computeSha256(Buffer.from(String(number)))}\n`);
  const content = Buffer.alloc(bytes, line);
  for (let at = 0; at + 8 < bytes; at += 1_000) content.write(String(at), at, 'latin1');
  return content;
}

/** The hashes of all stored files, as clients get them. */
async function downloadFiles({ server }: ReadMailbox): Promise<string[]> {
  const urls: string[] = [];
  for (let offset = 0; offset < mails; offset += 200) {
    const { pages } = await server.call('list_pages', { limit: 200, offset });
    for (const page of pages as { id: string; attachment_count: number }[]) {
      if (!page.attachment_count) continue;
      const { attachments } = await server.call('get_page', { id: page.id });
      for (const { url } of attachments as { url: string | null }[]) if (url) urls.push(url);
    }
  }
  const hashes: string[] = [];
  const lane = async () => {
    for (let url = urls.shift(); url; url = urls.shift()) {
      const path = new URL(url).pathname;
      const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${server.key}` } });
      hashes.push(computeSha256(Buffer.from(await answer.arrayBuffer())));
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return hashes;
}

function computeSha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
