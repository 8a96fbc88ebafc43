// Creates small workbooks for tests.
import { buildSampleZip } from './sample-zip.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** `rows`: the XML of the rows. `more`: XML after them, `before`: XML before them. */
export type SampleSheet = { name: string; rows: string; state?: string; before?: string; more?: string };

export type SampleWorkbook = {
  sheets: readonly SampleSheet[];
  /** The XML of the shared strings. */
  strings?: string;
  /** Codes of number formats: the first one is style 1. A number is a built-in format. */
  formats?: readonly (string | number)[];
  /** XML at the beginning of the workbook. */
  properties?: string;
  /** Other parts, by name. */
  parts?: Record<string, string | Buffer>;
};

export function buildSampleWorkbook({
  sheets,
  strings = '',
  formats = [],
  properties = '',
  parts = {},
}: SampleWorkbook): Buffer {
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="r${at}"/>`,
  );
  return buildSampleZip({
    '_rels/.rels': buildRelationshipsXml([['a', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}">${properties}<sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': buildRelationshipsXml([
      ...sheets.map((_, at) => [`r${at}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['s', 'styles', '/xl/styles.xml'],
      ['t', 'sharedStrings', 'sharedStrings.xml'],
      ['p', 'person', 'persons/person.xml'],
    ]),
    'xl/styles.xml': buildStyles(formats),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ rows, before = '', more = '' }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${main}">${before}<sheetData>${rows}</sheetData>${more}</worksheet>`,
      ]),
    ),
    ...parts,
  });
}

/** The relationships of a part: ids, kinds and targets. */
export function buildRelationshipsXml(all: readonly (readonly [string, string, string])[]): string {
  const each = all.map(
    ([id, kind, target]) => `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><Relationships>${each.join('')}</Relationships>`;
}

function buildStyles(formats: readonly (string | number)[]): string {
  const named = formats.map((code, at) =>
    typeof code === 'number' ? '' : `<numFmt numFmtId="${200 + at}" formatCode="${escapeXml(code)}"/>`,
  );
  const cells = formats.map((code, at) => `<xf numFmtId="${typeof code === 'number' ? code : 200 + at}"/>`);
  return `<styleSheet xmlns="${main}"><numFmts>${named.join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${cells.join('')}</cellXfs></styleSheet>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
