// A workbook as Google exports it: Office Open XML, each tab a sheet.
import { crc32 } from 'node:zlib';

/** Tabs of a spreadsheet by name, each as comma separated lines without quotes. */
export type Tabs = Readonly<Record<string, string>>;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const formatPartType = (part: string) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml`;

/** The bytes of a workbook. */
export function buildWorkbook(tabs: Tabs): Buffer {
  const names = Object.keys(tabs);
  const numbered = names.map((name, place) => ({ name, number: place + 1 }));
  const sheets = numbered.map(
    ({ name, number }) => `<sheet name="${escape(name)}" sheetId="${number}" r:id="rId${number}"/>`,
  );
  const links = numbered.map(
    ({ number }) =>
      `<Relationship Id="rId${number}" Type="${relations}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  );
  const types = numbered.map(
    ({ number }) =>
      `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${formatPartType('worksheet')}"/>`,
  );
  return buildZip({
    '[Content_Types].xml': `${head}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${formatPartType('sheet.main')}"/>${types.join('')}</Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packaged}/relationships">${links.join('')}</Relationships>`,
    ...Object.fromEntries(
      numbered.map(({ name, number }) => [`xl/worksheets/sheet${number}.xml`, buildSheet(tabs[name] ?? '')]),
    ),
  });
}

function buildSheet(lines: string): string {
  const rows = lines
    .trimEnd()
    .split('\n')
    .map((line, at) => {
      const cells = line.split(',').map((value, column) => {
        const place = `${String.fromCharCode(65 + column)}${at + 1}`;
        return `<c r="${place}" t="inlineStr"><is><t>${escape(value)}</t></is></c>`;
      });
      return `<row r="${at + 1}">${cells.join('')}</row>`;
    });
  return `${head}<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A ZIP archive whose entries are stored as they are. */
function buildZip(entries: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.from(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), bytes]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(at, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, more, Buffer.from(name)]),
    );
    locals.push(local);
    at += local.length;
  }
  const size = directory.reduce((sum, each) => sum + each.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...directory, end]);
}
