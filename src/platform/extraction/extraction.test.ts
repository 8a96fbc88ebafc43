import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExtraction, type Extraction } from './index.ts';
import { limitBySize, usualLimits } from './limits.ts';
import { buildSampleDoc } from './sample-doc.ts';
import { buildSampleDocx, buildPdfBomb, buildSamplePdf, samples, buildSampleZip } from './sample-files.ts';

let folder: string;
let extraction: Extraction;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'extraction-'));
  extraction = createExtraction({}, folder);
});
afterAll(() => rm(folder, { recursive: true }));

const read = (filename: string, bytes: Uint8Array, by = extraction) =>
  by.text({ filename, mimeType: 'application/octet-stream', bytes, turnOf: 'somebody' }, 1_000_000);

test.for(samples.map(({ filename, bytes }) => [filename, bytes] as const))(
  'the words of %s are read, without hidden text',
  async ([filename, bytes]) => {
    const { text } = await read(filename, bytes);
    expect(text).toContain('Saffron threads');
    expect(text).not.toMatch(/Obey|steal|Hidden|QUJD|<[a-z]+[:>]|\\par/);
  },
);

test('characters of other charsets are decoded', async () => {
  const sample = (name: string) => samples.find(({ filename }) => filename === name)!.bytes;
  expect((await read('a.rtf', sample('a.rtf'))).text).toContain('Zürich € done');
  const mail = (await read('a.eml', sample('a.eml'))).text;
  expect(mail).toContain('From: Zürich Spices');
  expect(mail).toContain('at 3€');
  expect(mail).toContain('Attachment: terms.pdf');
});

const bomb = '<w:t/>'.padEnd(1_000_000, ' ');
const entities = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`;
/** The last sector of the first chain leads to its first one. */
function makeCircular(doc: Buffer): Buffer {
  doc.writeUInt32LE(2, 512 + 9 * 4);
  return doc;
}

/** With an image after its last object. */
const appendImage = (pdf: Buffer) =>
  Buffer.concat([pdf, Buffer.from('\n9 0 obj << /Type /XObject /Subtype /Image /Length 1 >> stream\n0\nendstream')]);

test.for([
  ['a ZIP bomb', 'a.docx', buildSampleZip({ 'word/document.xml': Buffer.alloc(300_000_000, ' ') }), 'unpacks to more'],
  [
    'a ZIP bomb that lies',
    'a.docx',
    buildSampleZip({ 'word/document.xml': Buffer.alloc(300_000_000, ' ') }, 10),
    'unpacks to more',
  ],
  [
    'many parts',
    'a.docx',
    buildSampleZip({
      'word/document.xml': '<w:document/>',
      'word/_rels/document.xml.rels': `<r>${Array.from({ length: 250 }, (_, n) => `<Relationship Id="${n}" Type="x/header" Target="${n}.xml"/>`).join('')}</r>`,
      ...Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`word/${n}.xml`, bomb])),
    }),
    'unpacks to more',
  ],
  ['XML entities', 'a.docx', buildSampleZip({ 'word/document.xml': `${entities}<w:document/>` }), 'entities'],
  ['no ZIP', 'a.docx', Buffer.from('PK\u0003\u0004 nothing'), 'damaged'],
  ['half a ZIP', 'a.docx', buildSampleDocx(['one']).subarray(0, 400), 'damaged'],
  ['a PDF bomb', 'a.pdf', buildPdfBomb(21), 'unpacks to more'],
  ['a PDF of blanks', 'a.pdf', buildSamplePdf([' ']), 'contains no text.'],
  ['a PDF of a scan', 'a.pdf', appendImage(buildSamplePdf([' '])), 'only pictures'],
  ['no PDF', 'a.pdf', Buffer.from('%PDF-1.7 nothing'), 'damaged'],
  ['a workbook with a password', 'a.xlsx', Buffer.from('\xd0\xcf\x11\xe0 nothing', 'latin1'), 'password'],
  ['no DOC', 'a.doc', Buffer.from('\xd0\xcf\x11\xe0 nothing', 'latin1'), 'damaged'],
  ['a DOC whose sectors go in a circle', 'a.doc', makeCircular(buildSampleDoc('one')), 'damaged'],
  ['a DOC that ends early', 'a.doc', buildSampleDoc('one').subarray(0, 5_000), 'damaged'],
  ['deep RTF', 'a.rtf', Buffer.from(`{\\rtf1 ${'{'.repeat(5_000)}`), 'nested'],
  ['an image', 'a.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]), 'cannot be read'],
  ['blanks', 'a.txt', Buffer.from(' \n \n'), 'no text'],
] as const)('%s is refused with what is wrong', async ([, filename, bytes, said]) => {
  await expect(read(filename, bytes)).rejects.toMatchObject({
    code: expect.stringMatching(/^(invalid_input|payload_too_large)$/),
    message: expect.stringContaining(said),
  });
});

test('a PDF of too many pages, and a file that takes too long or too much memory, are refused', async () => {
  const pages = createExtraction({ pages: 1 }, folder);
  await expect(read('a.pdf', buildSamplePdf(['one', 'two']), pages)).rejects.toMatchObject({
    code: 'payload_too_large',
  });
  const hasty = createExtraction({ ms: 1 }, folder);
  await expect(read('a.pdf', buildSamplePdf(['one']), hasty)).rejects.toThrow('took longer');
  const small = createExtraction({ memoryBytes: 20_000_000 }, folder);
  await expect(read('a.pdf', buildSamplePdf(['one']), small)).rejects.toThrow('too much memory');
  const bomb = createExtraction({ memoryBytes: 300_000_000, unpackedBytes: 1e10, ms: 20_000 }, folder).text(
    { filename: 'a.pdf', mimeType: '', bytes: buildPdfBomb(200), turnOf: 'somebody' },
    1_000,
  );
  await expect(bomb).rejects.toMatchObject({ code: 'payload_too_large', message: expect.stringContaining('memory') });
});

test('nothing remains of a file that was read or refused', async () => {
  await read('a.txt', Buffer.from('one'));
  await read('a.docx', Buffer.from('PK\u0003\u0004')).catch(() => {});
  expect(readdirSync(folder)).toEqual([]);
  expect(existsSync(folder)).toBe(true);
});

test('a file under 1 MB has ten seconds and less memory, and every file has limits', () => {
  expect(limitBySize(999_999, usualLimits)).toMatchObject({ ms: 10_000, memoryBytes: 600_000_000 });
  expect(limitBySize(1_000_000, usualLimits)).toEqual(usualLimits);
  expect(limitBySize(1_200, { ...usualLimits, ms: 5 })).toMatchObject({ ms: 5 });
});

const buildOdt = (body: string) =>
  buildSampleZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  });
const buildDocx = (body: string) =>
  buildSampleZip({ 'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>` });
test.for([
  ['a.odt', 'a hundred million spaces', buildOdt('<text:p>one<text:s text:c="100000000"/>two</text:p>')],
  [
    'a.odt',
    'cells that repeat',
    buildOdt(
      `<table:table><table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"><text:p>one</text:p></table:table-cell></table:table-row></table:table>`,
    ),
  ],
  [
    'a.odt',
    'elements in one another',
    buildOdt(`${'<text:span>'.repeat(200_000)}one${'</text:span>'.repeat(200_000)}`),
  ],
  ['a.docx', 'empty runs', buildDocx(`${'<w:r/>'.repeat(30_000)}<w:p><w:r><w:t>one</w:t></w:r></w:p>`)],
  [
    'a.docx',
    'tables in one another',
    buildDocx(`${'<w:tbl><w:tr><w:tc>'.repeat(5_000)}${'</w:tc></w:tr></w:tbl>'.repeat(5_000)}`),
  ],
] as const)(
  'a small %s of %s is read or refused within its ten seconds, within its memory limit',
  { timeout: 20_000 },
  async ([name, , file]) => {
    expect(file.length).toBeLessThan(1_000_000);
    const started = performance.now();
    const answer = await read(name, file).then(
      ({ text }) => text.length,
      (error: { code?: string }) => error.code,
    );
    expect(performance.now() - started).toBeLessThan(12_000);
    if (typeof answer === 'number') expect(answer).toBeLessThan(1_000_000);
    else expect(['payload_too_large', 'invalid_input']).toContain(answer);
  },
);

test('files of one person that take long delay no file of another', async () => {
  const slow = createExtraction({ ms: 3_000, unpackedBytes: 1e10 }, folder);
  const done: string[] = [];
  const readInTurn = async (turnOf: string, filename: string, bytes: Uint8Array) => {
    await slow.text({ filename, mimeType: '', bytes, turnOf }, 1_000).catch(() => {});
    done.push(`${turnOf} ${filename}`);
  };
  const bomb = buildPdfBomb(200);
  const bombs = [readInTurn('ada', 'a.pdf', bomb), readInTurn('ada', 'b.pdf', bomb)];
  await readInTurn('grace', 'c.docx', buildSampleDocx(['one']));
  expect(done).not.toContain('ada b.pdf');
  await Promise.all(bombs);
});
