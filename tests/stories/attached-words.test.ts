import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../support/google.ts';
import { openAsOwner } from '../support/owner-database.ts';
import type { TestServer } from '../support/server.ts';
import { buildSampleDocx, buildSamplePdf, buildSampleZip } from '../../src/platform/extraction/sample-files.ts';

const ada = 'ada@example.com';
const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: ada, name: 'Ada Lovelace' });
  await linkGoogle(server, google);
});
afterAll(() => close());

type AttachedFile = {
  attachment_id: string;
  filename: string;
  state: string;
  text_state: string;
  reason: string | null;
};

/** The attachments of the only page that a fetch stores, once no text is awaited. */
async function fetchAttachments(source: string, query: string): Promise<AttachedFile[]> {
  const { page_slugs, errors } = await server.ok('fetch_from_integration', { source, input: { query } });
  expect(errors).toBeUndefined();
  return waitForText(String(page_slugs[0]));
}

async function waitForText(slug: string): Promise<AttachedFile[]> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { attachments } = await server.ok('get_page', { slug });
    if (attachments.every(({ text_state }) => text_state !== 'awaited')) return attachments;
    await sleep(50);
  }
  throw new Error('the text of an attachment was not read');
}

const searchPages = async (q: string) => (await server.ok('search', { q })).pages;

test('a search finds words of a PDF and a Word file in a mail, and they are read in parts', async () => {
  const attachments = [
    {
      filename: 'offer.pdf',
      mimeType: 'application/pdf',
      content: buildSamplePdf(['Turbine price', 'Valid until Candlemas']),
    },
    { filename: 'terms.docx', mimeType: 'application/octet-stream', content: buildSampleDocx(['Payable in florins.']) },
    { filename: 'photo.png', mimeType: 'image/png', content: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]) },
  ];
  google.seedMail(ada, { from: 'noah@example.com', subject: 'Coded offer', text: 'See attached.', attachments });
  const read = await fetchAttachments('gmail', 'subject:"Coded offer"');
  expect(read).toMatchObject([
    { filename: 'offer.pdf', state: 'stored', text_state: 'read', reason: null, has_text: true },
    { filename: 'terms.docx', state: 'stored', text_state: 'read', has_text: true },
    { filename: 'photo.png', state: 'stored', text_state: 'none', has_text: false },
  ]);
  expect(await searchPages('candlemas')).toMatchObject([
    { title: 'Coded offer', found_in: [{ filename: 'offer.pdf' }] },
  ]);
  expect(await searchPages('florins')).toMatchObject([
    { title: 'Coded offer', found_in: [{ filename: 'terms.docx' }] },
  ]);
  const { text, origin } = await server.ok('get_attachment', { attachment_id: read[0]?.attachment_id });
  expect(text).toContain('Valid until Candlemas');
  expect(origin).toBe('outside');
});

test('a broken or hostile file stays stored with a note, and the other files are read', async () => {
  const broken = Buffer.concat([buildSamplePdf(['Nothing']).subarray(0, 60), Buffer.alloc(400, 7)]);
  const entities = '<!DOCTYPE w [<!ENTITY a "aaaa">]><w:document><w:t>&a;</w:t></w:document>';
  const attachments = [
    { filename: 'broken.pdf', mimeType: 'application/pdf', content: broken },
    { filename: 'bomb.docx', mimeType: docxType, content: buildSampleZip({ 'word/document.xml': entities }) },
    { filename: 'good.pdf', mimeType: 'application/pdf', content: buildSamplePdf(['Lapis lazuli']) },
  ];
  google.seedMail(ada, { from: 'noah@example.com', subject: 'Mixed files', text: 'See attached.', attachments });
  const note = { state: 'stored', text_state: 'failed', has_text: false, reason: /^Its text cannot be read\. \S/ };
  expect(await fetchAttachments('gmail', 'subject:"Mixed files"')).toMatchObject([
    { ...note, filename: 'broken.pdf', reason: expect.stringMatching(note.reason) },
    { ...note, filename: 'bomb.docx', reason: expect.stringMatching(note.reason) },
    { filename: 'good.pdf', text_state: 'read' },
  ]);
  expect(await searchPages('lapis')).toHaveLength(1);
});

test('a search finds words of a PDF in Drive, and its new words after the file changes', async () => {
  const file = google.seedFile(ada, {
    name: 'Survey.pdf',
    mimeType: 'application/pdf',
    content: buildSamplePdf(['Malachite in the north']),
  });
  const first = await fetchAttachments('drive', "name contains 'Survey'");
  expect(first).toMatchObject([{ filename: 'Survey.pdf', state: 'stored', text_state: 'read' }]);
  expect(await searchPages('malachite')).toMatchObject([{ title: 'Survey.pdf', type: 'file' }]);
  file.content = buildSamplePdf(['Azurite in the south']);
  file.modifiedTime += 60_000;
  const second = await fetchAttachments('drive', "name contains 'Survey'");
  expect(second).toHaveLength(1);
  expect(second[0]?.attachment_id).not.toBe(first[0]?.attachment_id);
  expect(await searchPages('azurite')).toHaveLength(1);
  expect(await searchPages('malachite')).toEqual([]);
});

test('the next sync reads a file that was stored before its format was supported', async () => {
  const attachments = [
    { filename: 'old.pdf', mimeType: 'application/pdf', content: buildSamplePdf(['Tourmaline ring']) },
  ];
  google.seedMail(ada, { from: 'noah@example.com', subject: 'Old file', text: 'See attached.', attachments });
  const [old] = await fetchAttachments('gmail', 'subject:"Old file"');
  const database = await openAsOwner(server.connectionString);
  await database.rows(
    `update attachments set text = null, text_state = 'awaited', updated_at = now() - interval '2 days' where id = $1`,
    [old?.attachment_id],
  );
  const [page] = await database.rows(
    `select slug from pages join attachments on page_id = pages.id where attachments.id = $1`,
    [old?.attachment_id],
  );
  await database.rows(`insert into jobs.job (name, retry_limit) values ('pages.left-words', 0)`);
  await database.close();
  expect(await waitForText(String(page?.['slug']))).toMatchObject([{ filename: 'old.pdf', text_state: 'read' }]);
});
