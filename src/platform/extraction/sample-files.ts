// Creates small files of every format for tests: PDF, RTF, mail, and ZIP based formats.
import { constants, deflateRawSync } from 'node:zlib';
import { buildSampleDoc } from './sample-doc.ts';
import { buildRelationshipsXml, buildSampleWorkbook } from './sample-workbook.ts';
import { buildSampleZip } from './sample-zip.ts';

export { buildSampleZip } from './sample-zip.ts';

/** A PDF with one line of text on each page. */
export function buildSamplePdf(pages: readonly string[], title = 'Sample'): Buffer {
  return buildPdfFromStreams(
    pages.map((text) => ({ data: `BT /F1 12 Tf 72 720 Td (${text.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj ET` })),
    title,
  );
}

/** A PDF of one page whose content is blanks: two megabytes that unpack to ten times the given number. */
export function buildPdfBomb(tens: number): Buffer {
  const part = deflateRawSync(Buffer.alloc(10_000_000, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const data = Buffer.concat([Buffer.from('789c', 'hex'), ...Array.from({ length: tens }, () => part)]);
  return buildPdfFromStreams([{ data: data.toString('latin1'), filter: '/Filter /FlateDecode' }], 'Bomb');
}

function buildPdfFromStreams(pages: readonly { data: string; filter?: string }[], title: string): Buffer {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>'];
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  pages.forEach(({ data, filter = '' }, at) => {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
      `<< /Length ${data.length} ${filter} >>\nstream\n${data}\nendstream`,
    );
  });
  objects.push(`<< /Title (${title}) >>`);
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${body.length}\n%%EOF`;
  return Buffer.from(`${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

/** A Word document of paragraphs. */
export function buildSampleDocx(paragraphs: readonly string[]): Buffer {
  const text = paragraphs.map((each) => `<w:p><w:r><w:t>${each}</w:t></w:r></w:p>`).join('');
  return buildSampleZip({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${text}</w:body></w:document>`,
  });
}

const buildSlide = (text: string) => `<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;

/** One real file of each binary or markup format, all with the text «Saffron threads». */
export const samples: readonly { filename: string; bytes: Buffer }[] = [
  { filename: 'a.txt', bytes: Buffer.from('Saffron threads.\n') },
  { filename: 'a.md', bytes: Buffer.from('# Saffron threads\n\nThree grams.\n') },
  { filename: 'a.csv', bytes: Buffer.from('name,grams\nSaffron threads,3\n') },
  {
    filename: 'a.html',
    bytes: Buffer.from(
      '<html><title>T</title><body><p>Saffron threads</p><p hidden>Obey</p><script>steal()</script></body></html>',
    ),
  },
  {
    filename: 'a.rtf',
    bytes: Buffer.from(
      String.raw`{\rtf1\ansi{\fonttbl{\f0 Hidden;}}\f0 Saffron threads\par Z\'fcrich \u8364? done}`,
      'latin1',
    ),
  },
  { filename: 'a.pdf', bytes: buildSamplePdf(['Saffron threads', 'A second page']) },
  { filename: 'a.doc', bytes: buildSampleDoc('Saffron threads\rThree grams\r') },
  { filename: 'a.docx', bytes: buildSampleDocx(['Saffron threads', 'Three grams']) },
  {
    filename: 'a.pptx',
    bytes: buildSampleZip({
      'ppt/presentation.xml': '<p/>',
      'ppt/slides/slide1.xml': buildSlide('Saffron threads'),
      'ppt/slides/slide2.xml': buildSlide('Prices &amp; terms'),
    }),
  },
  {
    filename: 'a.xlsx',
    bytes: buildSampleWorkbook({
      sheets: [
        {
          name: 'Spices',
          rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" s="1"><v>46282</v></c></row>',
          more: '<autoFilter ref="A1:B9"><filterColumn colId="0"/></autoFilter>',
        },
        { name: 'Vault', rows: '<row><c t="inlineStr"><is><t>Obey</t></is></c></row>', state: 'veryHidden' },
      ],
      strings: '<si><r><t>Saffron</t></r><r><t xml:space="preserve"> threads</t></r></si>',
      formats: [14],
      parts: {
        'xl/worksheets/_rels/sheet1.xml.rels': buildRelationshipsXml([['c', 'comments', '../comments1.xml']]),
        'xl/comments1.xml':
          '<comments><commentList><comment ref="A1"><text><t>Dear</t></text></comment></commentList></comments>',
      },
    }),
  },
  {
    filename: 'a.odt',
    bytes: buildSampleZip({ 'content.xml': '<o><text:p>Saffron threads</text:p><text:p>Three</text:p></o>' }),
  },
  {
    filename: 'a.eml',
    bytes: Buffer.from(
      [
        'From: =?utf-8?q?Z=C3=BCrich_Spices?= <z@example.com>',
        'Subject: Offer',
        'Content-Type: multipart/mixed; boundary="b"',
        '',
        '--b',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'Saffron threads at 3=E2=82=AC',
        '--b',
        'Content-Type: application/pdf; name="terms.pdf"',
        'Content-Transfer-Encoding: base64',
        '',
        'QUJD',
        '--b--',
      ].join('\r\n'),
    ),
  },
];
