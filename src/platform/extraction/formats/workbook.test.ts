import { expect, test } from 'vitest';
import { usualLimits } from '../limits.ts';
import { buildRelationshipsXml, buildSampleWorkbook, type SampleSheet } from '../sample-workbook.ts';
import { buildSampleZip } from '../sample-zip.ts';
import { readWorkbook } from './workbook.ts';

const read = (bytes: Buffer, limits = usualLimits) => readWorkbook(bytes, limits);
const buildInlineCell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
const buildSheet = (rows: string, more: Partial<SampleSheet> = {}): SampleSheet => ({ name: 'Plan', rows, ...more });
const readSheetRows = async (rows: string, more: Partial<SampleSheet> = {}) =>
  (await read(buildSampleWorkbook({ sheets: [buildSheet(rows, more)] }))).split('\n').slice(1);
/** The text of one number in a format. */
const formatNumber = async (format: string | number, value: number | string, properties = '') => {
  const rows = `<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>`;
  const text = await read(buildSampleWorkbook({ sheets: [buildSheet(rows)], formats: [format], properties }));
  return text.split('\n')[1] ?? '';
};

test.for([
  [14, 46_282, '2026-09-17'],
  [22, 46_282.604_166_666_66, '2026-09-17 14:30'],
  [30, 46_282, '2026-09-17'],
  ['m/d/yy', 46_282, '2026-09-17'],
  ['DD.MM.YYYY', 46_085, '2026-03-04'],
  ['yyyy/mm/dd;@', 46_392, '2027-01-05'],
  ['[$-F800]dddd, mmmm dd, yyyy', 46_282, '2026-09-17'],
  ['[$-411]ggge"年"m"月"d"日"', 46_282, '2026-09-17'],
  ['yyyy-mm-dd h:mm:ss', 46_282.999_999_9, '2026-09-18 00:00:00'],
  ['m/d/yyyy h:mm AM/PM', 46_282.604_166_666_66, '2026-09-17 14:30'],
  ['m/d/yyyy h:mm', 0.5, '12:00'],
  ['mmm-yy', 46_282, 'Sep-26'],
  ['[$-407]mmmm yyyy', 46_085, 'März 2026'],
  ['h:mm AM/PM', 0.604_166_666_66, '2:30 PM'],
  [20, 0.5, '12:00'],
  ['[h]:mm', 1.25, '30:00'],
  [46, 1.25, '30:00:00'],
] as const)('a date or time with the format %s is written as a person reads it', async ([format, value, text]) => {
  expect(await formatNumber(format, value)).toBe(text);
});

test.for([
  [14, '2026-09-17T14:30:00.000Z', '2026-09-17'],
  [22, '2026-09-17T14:30:00.000Z', '2026-09-17 14:30:00'],
  [0, '2026-09-17T14:30:00', '2026-09-17 14:30:00'],
  [0, '2026-09-17T00:00:00Z', '2026-09-17'],
  [21, '14:30:00', '14:30:00'],
  [14, 'soon', 'soon'],
] as const)('a date stored as text with the format %s is shown in that format', async ([format, value, text]) => {
  const rows = `<row r="1"><c r="A1" s="1" t="d"><v>${value}</v></c></row>`;
  expect((await read(buildSampleWorkbook({ sheets: [buildSheet(rows)], formats: [format] }))).split('\n')[1]).toBe(
    text,
  );
});

test('a workbook that counts days from 1904 has the right dates', async () => {
  const from1904 = '<workbookPr date1904="1"/>';
  expect(await formatNumber(14, 44_820, from1904)).toBe('2026-09-17');
  expect(await formatNumber('dddd', 44_820, from1904)).toBe('Thursday');
  expect(await formatNumber('[h]:mm', 1.25, from1904)).toBe('30:00');
  expect(await formatNumber(14, 44_820, '<workbookPr date1904="false"/>')).toBe('2022-09-16');
});

test.for([
  ['0%', 0.25, '25%'],
  [10, 0.1234, '12.34%'],
  ['#,##0.00 "EUR"', 1234.5, '1,234.50 EUR'],
  ['#,##0.00\\ [$€-407]', 1234.5, '1,234.50 €'],
  ['[$-409]0.0', 1.25, '1.3'],
  [44, 1234.5, '$1,234.50'],
  [44, -2, '$(2.00)'],
  ['[Red][<0]"minus" 0;0', -3, 'minus 3'],
  ['# ?/?', 1.5, '1 1/2'],
  ['0.00E+00', 12_345, '1.23E+04'],
  ['00000', 42, '00042'],
  [';;;', 42, ''],
  ['General', 0.1 + 0.2, '0.3'],
  [0, 4_006_381_333_931, '4006381333931'],
  ['@', 1e12, '1000000000000'],
  ['no [ format', 5, '5'],
  [14, -3, '-3'],
  [0, 'nine', 'nine'],
] as const)('a number with the format %s and the value %s has the text of its cell', async ([format, value, text]) => {
  expect(await formatNumber(format, value)).toBe(text);
});

test('a blank cell keeps its column, wherever its row begins', async () => {
  const rows = `<row r="1">${buildInlineCell('A1', 'Left')}<c r="B1" s="1"/>${buildInlineCell('C1', 'Right')}</row><row r="2"><c r="C2"><v>9</v></c></row>`;
  expect(await readSheetRows(rows)).toEqual(['Left\t\tRight', '\t\t9']);
  expect(await readSheetRows('<row><c><v>1</v></c><c/><c><v>3</v></c></row><row><c r="B2"><v>4</v></c></row>')).toEqual(
    ['1\t\t3', '\t4'],
  );
  expect(await readSheetRows('<row r="1"><c r="AB1"><v>5</v></c></row>')).toEqual([`${'\t'.repeat(27)}5`]);
});

test('blank rows between two tables are one blank line', async () => {
  expect(
    await readSheetRows('<row r="2"><c r="A2"><v>1</v></c></row><row r="3"/><row r="9"><c r="A9"><v>2</v></c></row>'),
  ).toEqual(['1', '', '2']);
});

test.for([
  ['t="b"', '<v>1</v>', 'TRUE'],
  ['t="b"', '<v>0</v>', 'FALSE'],
  ['t="e"', '<v>#N/A</v>', '#N/A'],
  ['t="d"', '<v>2026-09-17T00:00:00</v>', '2026-09-17'],
  ['t="d"', '<v>2026-09-17T14:30:00Z</v>', '2026-09-17 14:30:00Z'],
  ['t="str"', '<f>CONCATENATE("tide","table")</f><v>tidetable</v>', 'tidetable'],
  ['', '<f>SUM(A1:A2)</f><v>17</v>', '17'],
  ['', '<f>SUM(A1:A2)</f><v></v>', '=SUM(A1:A2)'],
  ['t="inlineStr"', '<is><r><t>Rope </t></r><r><t xml:space="preserve">&amp; tar</t></r></is>', 'Rope & tar'],
  ['t="inlineStr"', '<is><t><![CDATA[Rope & <tar>]]></t></is>', 'Rope & <tar>'],
  ['t="inlineStr"', '<is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is>', '東京'],
  ['t="inlineStr"', '<is><t>one\ntwo\tthree_x000D_four_x005F_x000D_</t></is>', 'one two three four_x000D_'],
  ['t="inlineStr" s="1"', '<is><t>12</t></is>', 'No. 12'],
  ['t="str" s="2"', '<v>secret</v>', ''],
])('a cell with %s and %s has the text %s', async ([attributes, content, text]) => {
  const rows = `<row r="1"><c r="A1" ${attributes}>${content}</c><c r="B1"><v>1</v></c></row>`;
  const read1 = await read(buildSampleWorkbook({ sheets: [buildSheet(rows)], formats: ['"No. "@', ';;;'] }));
  expect(read1.split('\n')[1]).toBe(`${text}\t1`);
});

test('a shared text has all its runs without readings, and an empty one keeps its position', async () => {
  const strings =
    '<si><t/></si><si/><si><r><t>Harbour</t></r><r><rPr><b/></rPr><t> dues</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr/></si><si><t>a_x000a_b</t></si>';
  const rows = `<row r="1">${[0, 1, 2, 3, 4].map((at) => `<c t="s"><v>${at}</v></c>`).join('')}</row>`;
  expect((await read(buildSampleWorkbook({ sheets: [buildSheet(rows)], strings }))).split('\n')[1]).toBe(
    '\t\tHarbour dues\t東京\ta b',
  );
});

test('sheets keep their names and order, and hidden ones are left out and counted', async () => {
  const row = (text: string) => `<row r="1">${buildInlineCell('A1', text)}</row>`;
  const sheets: SampleSheet[] = [
    { name: 'Ledger &amp; dues', rows: row('Rope 40') },
    { name: 'Vault', rows: row('combination 5512'), state: 'veryHidden' },
    { name: 'Aside', rows: row('aside note'), state: 'hidden' },
    { name: 'Blank', rows: '<row r="1"><c r="A1" s="0"/></row>' },
    { name: 'Crew', rows: row('Ines rows') },
  ];
  expect(await read(buildSampleWorkbook({ sheets }))).toBe(
    '# Ledger & dues\nRope 40\n\n# Crew\nInes rows\n\n[Left out: 2 hidden sheets.]',
  );
  expect(await read(buildSampleWorkbook({ sheets: sheets.slice(1, 4) }))).toBe('');
});

test('rows and columns that a person hid are left out and counted, and filtered or grouped ones are kept', async () => {
  const row = (number: number, more = '') =>
    `<row r="${number}"${more}>${buildInlineCell(`A${number}`, `row ${number}`)}${buildInlineCell(`B${number}`, 'aside')}</row>`;
  const rows = [row(1), row(2, ' hidden="1"'), row(3, ' hidden="1" outlineLevel="1"'), row(4, ' hidden="true"')].join(
    '',
  );
  const before = '<cols><col min="2" max="2" hidden="1"/></cols>';
  const more = '<autoFilter ref="A4:B9"><filterColumn colId="0"/></autoFilter>';
  expect(await readSheetRows(rows, { before, more })).toEqual([
    'row 1',
    'row 3',
    'row 4',
    '[Left out: 1 hidden row, 1 hidden column.]',
  ]);
  const unused = '<autoFilter ref="A1:B9"/>';
  expect(await readSheetRows(rows, { more: unused })).toContain('[Left out: 2 hidden rows.]');
});

test('comments, text boxes and the title of a chart follow the rows', async () => {
  const parts = {
    'xl/worksheets/_rels/sheet1.xml.rels': buildRelationshipsXml([
      ['a', 'comments', '../comments1.xml'],
      ['b', 'threadedComment', '../threadedComments/threadedComment1.xml'],
      ['c', 'drawing', '../drawings/drawing1.xml'],
    ]),
    'xl/comments1.xml':
      '<comments><authors><author>Ines</author><author>tc={1}</author></authors><commentList><comment ref="A1" authorId="0"><text><r><t>Ines:</t></r><r><t xml:space="preserve">\ngreased in spring</t></r></text></comment><comment ref="B1" authorId="1"><text><t>[Threaded comment]\n\nYour version of Excel…</t></text></comment></commentList></comments>',
    'xl/threadedComments/threadedComment1.xml':
      '<ThreadedComments><threadedComment ref="B1" personId="{p}"><text>Who pays?</text></threadedComment></ThreadedComments>',
    'xl/persons/person.xml': '<personList><person displayName="Orla Quay" id="{p}"/></personList>',
    'xl/drawings/drawing1.xml':
      '<xdr:wsDr xmlns:xdr="x" xmlns:a="a" xmlns:mc="m"><mc:AlternateContent><mc:Choice><xdr:sp><xdr:txBody><a:p><a:r><a:t>Mind the </a:t></a:r><a:r><a:t>slipway</a:t></a:r></a:p></xdr:txBody></xdr:sp></mc:Choice><mc:Fallback><xdr:sp><xdr:txBody><a:p><a:r><a:t>Mind the slipway</a:t></a:r></a:p></xdr:txBody></xdr:sp></mc:Fallback></mc:AlternateContent></xdr:wsDr>',
    'xl/drawings/_rels/drawing1.xml.rels': buildRelationshipsXml([['a', 'chart', '../charts/chart1.xml']]),
    'xl/charts/chart1.xml':
      '<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Tides</a:t></a:r></a:p></c:rich></c:tx></c:title></c:chart>',
  };
  const rows = `<row r="1">${buildInlineCell('A1', 'Winch')}</row>`;
  expect((await read(buildSampleWorkbook({ sheets: [buildSheet(rows)], parts }))).split('\n')).toEqual([
    '# Plan',
    'Winch',
    'Mind the slipway',
    'Tides',
    'Comment on A1 by Ines: greased in spring',
    'Comment on B1 by Orla Quay: Who pays?',
  ]);
});

test('names with a prefix, parts with other names and parts in UTF-16 are read', async () => {
  const office = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
  const rows =
    '<s:row r="1"><s:c r="A1" t="inlineStr"><s:is><s:t>Harbour dues – Köln</s:t></s:is></s:c><s:c r="B1"><s:v>12</s:v></s:c></s:row>';
  const strict = buildSampleZip({
    '_rels/.rels': `<p:Relationships><p:Relationship Id="1" Type="${office}/officeDocument" Target="/xl/Main.xml"/></p:Relationships>`,
    'xl/main.xml': `<x:workbook xmlns:x="m" xmlns:d3p1="${office}"><x:sheets><x:sheet name="Öne" sheetId="1" d3p1:id="q"/></x:sheets></x:workbook>`,
    'xl\\_rels\\main.xml.rels': `<Relationships><Relationship Id="q" Type="${office}/worksheet" Target="worksheets\\data%20one.xml"/></Relationships>`,
    'xl\\worksheets\\data one.xml': Buffer.from(
      `\ufeff<s:worksheet xmlns:s="m"><s:sheetData>${rows}</s:sheetData></s:worksheet>`,
      'utf16le',
    ),
  });
  expect(await read(strict)).toBe('# Öne\nHarbour dues – Köln\t12');
});

test('a workbook without a list of sheets has those with a number', async () => {
  const sheet = (text: string) =>
    `<worksheet><sheetData><row>${buildInlineCell('A1', text)}</row></sheetData></worksheet>`;
  const bytes = buildSampleZip({
    'xl/workbook.xml': '<w/>',
    'xl/worksheets/sheet10.xml': sheet('ten'),
    'xl/worksheets/sheet2.xml': sheet('two'),
  });
  expect(await read(bytes)).toBe('two\n\nten');
});

test('XML that is not well-formed does not lose the rest of its sheet', async () => {
  expect(
    await readSheetRows(
      `<row r="1">${buildInlineCell('A1', 'one &#x1; &nbsp;')}</row><row r="2">${buildInlineCell('A2', 'two')}</row>`,
    ),
  ).toEqual([expect.stringContaining('one'), 'two']);
});

test.for([
  [
    'XML entities',
    buildSampleWorkbook({ sheets: [], parts: { 'xl/workbook.xml': '<!DOCTYPE w [<!ENTITY a "b">]><w/>' } }),
    'entities',
  ],
  ['a ZIP bomb', buildSampleWorkbook({ sheets: [buildSheet(' '.repeat(3_000_000))] }), 'unpacks to more'],
  [
    'many far cells',
    buildSampleWorkbook({ sheets: [buildSheet('<row><c r="XFD1"><v>1</v></c></row>'.repeat(100))] }),
    'longer than',
  ],
  [
    'many sheets',
    buildSampleWorkbook({ sheets: Array.from({ length: 501 }, () => buildSheet('')) }),
    'more than 500 sheets',
  ],
  ['another ZIP', buildSampleZip({ 'a.txt': 'b' }), 'is no XLSX document'],
] as const)('a workbook with %s is refused with the reason', async ([, bytes, said]) => {
  const limits = { ...usualLimits, unpackedBytes: 1_000_000, characters: 1_000_000 };
  await expect(read(bytes, limits)).rejects.toThrow(said);
});

test('a sheet of many hidden rows and many filters is read in time', async () => {
  const rows = `<row><c><v>7</v></c></row>${'<row hidden="1"><c><v>1</v></c></row>'.repeat(40_000)}`;
  const filter = (from: number) => `<autoFilter ref="A${from}:B${from + 1}"><filterColumn/></autoFilter>`;
  const filters = Array.from({ length: 40_000 }, (_, at) => filter(900_000 - 2 * at)).join('');
  const startedAt = performance.now();
  const text = await read(buildSampleWorkbook({ sheets: [buildSheet(rows, { more: filters })] }));
  expect(text).toContain('[Left out: 40000 hidden rows.]');
  expect(performance.now() - startedAt).toBeLessThan(6_000);
});
