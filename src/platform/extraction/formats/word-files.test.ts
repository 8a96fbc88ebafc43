import { expect, test } from 'vitest';
import { usualLimits } from '../limits.ts';
import { readText } from '../read-text.ts';
import { buildSampleZip } from '../sample-zip.ts';

async function read(filename: string, bytes: Buffer): Promise<string> {
  const { text } = await readText(bytes, { filename, mimeType: '' }, usualLimits);
  return text;
}

const buildRelationship = (kind: string, target: string) =>
  `<Relationship Id="${kind}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;
const buildRelationships = (...all: string[]) => `<Relationships>${all.join('')}</Relationships>`;

/** A document with parts by kind. `main`: the path of its body. */
function buildDocx(body: string, parts: Record<string, string> = {}, main = 'word/document.xml'): Buffer {
  const related = Object.keys(parts).map((kind) => buildRelationship(kind, `${kind}.xml`));
  return buildSampleZip({
    '_rels/.rels': buildRelationships(buildRelationship('officeDocument', main)),
    [main]: `<w:document><w:body>${body}</w:body></w:document>`,
    [`word/_rels/${main.slice('word/'.length)}.rels`]: buildRelationships(...related),
    ...Object.fromEntries(Object.entries(parts).map(([kind, xml]) => [`word/${kind}.xml`, xml])),
  });
}

const run = (text: string, style = '') => `<w:r>${style && `<w:rPr>${style}</w:rPr>`}<w:t>${text}</w:t></w:r>`;
const buildParagraph = (...inside: string[]) =>
  `<w:p><w:pPr><w:tabs><w:tab w:pos="9"/></w:tabs></w:pPr>${inside.join('')}</w:p>`;
const buildCell = (...inside: string[]) => `<w:tc>${inside.join('')}</w:tc>`;
const buildRow = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
const buildTextBox = (text: string) => `<w:txbxContent>${buildParagraph(run(text))}</w:txbxContent>`;
const buildChoice = (first: string, fallback: string) =>
  `<mc:AlternateContent><mc:Choice>${first}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;
const buildMathElement = (name: string, inside: string) => `<m:${name}>${inside}</m:${name}>`;
const sign = (text: string) => buildMathElement('r', buildMathElement('t', text));

test.each<[what: string, body: string, text: string]>([
  [
    'a box',
    buildParagraph(run('Before '), `<w:r>${buildTextBox('In the box')}</w:r>`, run('after')),
    'Before after\n\nIn the box',
  ],
  [
    'a box in two forms',
    buildParagraph(`<w:r>${buildChoice(buildTextBox('Once'), buildTextBox('Once'))}</w:r>`),
    'Once',
  ],
  [
    'a box that only old programs show',
    buildParagraph(`<w:r>${buildChoice('<a:pic/>', buildTextBox('Old'))}</w:r>`),
    'Old',
  ],
  [
    'a table',
    `<w:tbl>${buildRow(buildCell(buildParagraph(run('Berth'))), buildCell(buildParagraph()), buildCell(buildParagraph(run('Fee'))))}${buildRow(buildCell(buildParagraph(run('North')), buildParagraph(run('pier'))), buildCell(buildParagraph()), buildCell(buildParagraph(run('310'))))}</w:tbl>`,
    'Berth\t\tFee\nNorth pier\t\t310',
  ],
  [
    'what was deleted',
    buildParagraph(`<w:del>${run('Old')}</w:del><w:ins>${run('New')}</w:ins><w:moveFrom>${run('Gone')}</w:moveFrom>`),
    'New',
  ],
  ['hidden words', buildParagraph(run('Obey', '<w:vanish/>'), run('Seen', '<w:vanish w:val="0"/>')), 'Seen'],
  [
    'rows and cells that were deleted',
    `<w:tbl><w:tr><w:trPr><w:del/></w:trPr>${buildCell(buildParagraph(run('Old')))}</w:tr>${buildRow('<w:tc><w:tcPr><w:cellDel/></w:tcPr>'.concat(buildParagraph(run('Old')), '</w:tc>'), buildCell(buildParagraph(run('New'))))}</w:tbl>`,
    'New',
  ],
  [
    'readings',
    buildParagraph(`<w:r><w:ruby><w:rt>${run('かんじ')}</w:rt><w:rubyBase>${run('漢字')}</w:rubyBase></w:ruby></w:r>`),
    '漢字',
  ],
  ['tabs and lines', buildParagraph('<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>'), 'a\tb\nc'],
  [
    'symbols',
    buildParagraph(
      '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Own" w:char="F0FF"/></w:r>',
      run(' done'),
    ),
    '\u2713 done',
  ],
  ['a field', buildParagraph('<w:r><w:instrText>PAGE</w:instrText></w:r>', run('4')), '4'],
  ['the place of a picture', buildParagraph('<w:r><wp:posOffset>1234</wp:posOffset></w:r>', run('words')), 'words'],
  [
    'a fraction',
    buildParagraph(
      buildMathElement(
        'oMath',
        buildMathElement('f', buildMathElement('num', sign('a+b')) + buildMathElement('den', sign('c'))),
      ),
    ),
    '(a+b)/c',
  ],
  [
    'powers',
    buildParagraph(
      buildMathElement(
        'oMath',
        buildMathElement('sSup', buildMathElement('e', sign('x')) + buildMathElement('sup', sign('2'))) +
          buildMathElement('sSub', buildMathElement('e', sign('y')) + buildMathElement('sub', sign('ij'))),
      ),
    ),
    'x^2y_(ij)',
  ],
  [
    'a root',
    buildParagraph(
      buildMathElement(
        'oMath',
        buildMathElement('rad', buildMathElement('deg', '') + buildMathElement('e', sign('n+1'))),
      ),
    ),
    '√(n+1)',
  ],
  [
    'a sum',
    buildParagraph(
      buildMathElement(
        'oMath',
        buildMathElement(
          'nary',
          buildMathElement('naryPr', '<m:chr m:val="∑"/>') +
            buildMathElement('sub', sign('i')) +
            buildMathElement('sup', sign('n')) +
            buildMathElement('e', sign('i')),
        ),
      ),
    ),
    '∑_i^ni',
  ],
  [
    'brackets',
    buildParagraph(
      buildMathElement(
        'oMath',
        buildMathElement(
          'd',
          buildMathElement('dPr', '<m:begChr m:val="["/><m:endChr m:val="]"/>') + buildMathElement('e', sign('a')),
        ),
      ),
      run(' end'),
    ),
    '[a] end',
  ],
])('the words of a DOCX file with %s are read', async (_what, body, text) => {
  expect(await read('a.docx', buildDocx(body))).toBe(text);
});

const note = (kind: string, id: number, text: string) =>
  `<w:${kind} w:id="${id}">${buildParagraph(run(text))}</w:${kind}>`;
const mark = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;

test('headers, footers, notes, comments and diagrams of a DOCX file are read, notes by their marks', async () => {
  const body = buildParagraph(run('First'), mark('endnote', 5), run(' and second'), mark('footnote', 2));
  const file = buildDocx(body, {
    header: `<w:hdr>${buildParagraph(run('Petrel'))}</w:hdr>`,
    footer: `<w:ftr>${buildParagraph(run('Dunlin'))}</w:ftr>`,
    footnotes: `<w:footnotes><w:footnote w:type="separator" w:id="-1">${buildParagraph()}</w:footnote>${note('footnote', 2, 'Foot')}</w:footnotes>`,
    endnotes: `<w:endnotes>${note('endnote', 5, 'End')}</w:endnotes>`,
    comments: `<w:comments><w:comment w:id="1" w:author="Ines">${buildParagraph(run('Ask first'))}</w:comment></w:comments>`,
    diagramData: '<dgm:dataModel><a:p><a:r><a:t>Step one</a:t></a:r></a:p></dgm:dataModel>',
  });
  expect(await read('a.docx', file)).toBe(
    'Petrel\n\nFirst[1] and second[2]\n\nStep one\n\nDunlin\n\n[1] End\n\n[2] Foot\n\nComment (Ines): Ask first',
  );
});

test('a DOCX file with other prefixes, CDATA and another main part is read', async () => {
  const body = '<ns0:p><ns0:r><ns0:t><![CDATA[Saffron & threads]]></ns0:t></ns0:r></ns0:p>';
  expect(await read('a.docx', buildDocx(body, {}, 'word/document2.xml'))).toBe('Saffron & threads');
});

test('deep tables, boxes and formulas of a DOCX file are read in time', async () => {
  const deep = (name: string, inside: string) =>
    `${`<w:${name}>`.repeat(4_000)}${inside}${`</w:${name}>`.repeat(4_000)}`;
  const startedAt = performance.now();
  for (const body of [
    `${'<w:tbl><w:tr><w:tc>'.repeat(4_000)}${buildParagraph(run('Deep'))}${'</w:tc></w:tr></w:tbl>'.repeat(4_000)}`,
    deep('txbxContent', buildParagraph(run('Deep'))),
    buildMathElement('oMath', '<m:den>'.repeat(4_000) + sign('Deep') + '</m:den>'.repeat(4_000)),
    `${'<mc:AlternateContent><mc:Choice>'.repeat(2_000)}${buildParagraph(run('Deep'))}`,
  ])
    await read('a.docx', buildDocx(body)).catch(() => {});
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

const buildOdt = (body: string, more: Record<string, string> = {}) =>
  buildSampleZip({
    'content.xml': `<office:document-content><office:body>${body}</office:body></office:document-content>`,
    ...more,
  });
const buildOdtElement = (name: string, inside: string) => `<text:${name}>${inside}</text:${name}>`;

test.each<[what: string, body: string, text: string]>([
  [
    'a box',
    buildOdtElement(
      'p',
      `Before <draw:frame><draw:text-box>${buildOdtElement('p', 'In the box')}</draw:text-box></draw:frame>after`,
    ),
    'Before after\n\nIn the box',
  ],
  [
    'a described picture',
    buildOdtElement('p', '<draw:frame><svg:title>Slip</svg:title><svg:desc>way</svg:desc></draw:frame>Words'),
    'Words',
  ],
  [
    'a note',
    buildOdtElement(
      'p',
      `End${buildOdtElement('note', buildOdtElement('note-citation', '1') + buildOdtElement('note-body', buildOdtElement('p', 'Nineteen weeks')))}.`,
    ),
    'End[1].\n\n[1] Nineteen weeks',
  ],
  [
    'a comment',
    buildOdtElement(
      'p',
      `Price<office:annotation><dc:creator>Ines</dc:creator><dc:date>2026</dc:date>${buildOdtElement('p', 'Ask')}</office:annotation>`,
    ),
    'Price\n\nComment (Ines): Ask',
  ],
  [
    'a table',
    `<table:table><table:table-row><table:table-cell>${buildOdtElement('p', 'North')}${buildOdtElement('p', 'pier')}</table:table-cell><table:table-cell/><table:table-cell>${buildOdtElement('p', '310')}</table:table-cell></table:table-row></table:table>`,
    'North pier\t\t310',
  ],
  [
    'what was deleted',
    `${buildOdtElement('tracked-changes', buildOdtElement('p', 'Old'))}${buildOdtElement('p', 'New')}`,
    'New',
  ],
  [
    'blanks and tabs',
    buildOdtElement('p', 'a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d\n  e'),
    'a   b\tc\nd e',
  ],
])('the words of an ODT file with %s are read', async (_what, body, text) => {
  expect(await read('a.odt', buildOdt(body))).toBe(text);
});

test('formulas, headers and footers of an ODT file are read', async () => {
  const file = buildOdt(buildOdtElement('p', 'Load <draw:object xlink:href="./Object 1"/>'), {
    'Object 1/content.xml':
      '<math><semantics><mi>F</mi><annotation encoding="StarMath 5.0">F = m a</annotation></semantics></math>',
    'styles.xml': `<s><style:master-page><style:header>${buildOdtElement('p', 'Petrel')}</style:header><style:footer>${buildOdtElement('p', 'Dunlin')}</style:footer></style:master-page></s>`,
  });
  expect(await read('a.odt', file)).toBe('Petrel\n\nLoad F = m a\n\nDunlin');
});

test.each<[what: string, body: string, text: string]>([
  ['a note', String.raw`End{\*\footnote\pard\plain Nineteen weeks}.\par`, 'End[1].\n\n[1] Nineteen weeks'],
  [
    'a box',
    String.raw`{\shp{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt Corvina\par}}{\shprslt Corvina}}Words`,
    'Words\n\nCorvina',
  ],
  ['a header and a footer', String.raw`{\header Petrel\par}{\footerf Dunlin}Body`, 'Petrel\n\nBody\n\nDunlin'],
  ['a comment', String.raw`Price{\*\atnauthor Ines}{\*\annotation Ask first}`, 'Price\n\nComment: Ask first'],
  ['a table', String.raw`\pard\intbl North\par pier\cell 310\cell\row\pard End`, 'North pier\t310\t\nEnd'],
  [
    'fonts of other scripts',
    String.raw`{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 Mincho;}}{\f1 \'cf\'f0}caf\'e9 \f2\'93\'fa\'96\'7b\plain \'e9`,
    'Прcafé 日本é',
  ],
  ['hidden words', String.raw`Seen{\v Obey}\v Obey\v0 too{\deleted Old}`, 'Seentoo'],
  ['a formula', String.raw`{\mmath{\*\moMath{\mf{\mfPr{\mtype bar}}{\mnum{\mr a}}{\mden{\mr b}}}}}`, 'a/b'],
  ['two bytes for a character', String.raw`\ansicpg932\'93\'fa\'96\'7b`, '日本'],
])('the words of an RTF file with %s are read', async (_what, body, text) => {
  expect(await read('a.rtf', Buffer.from(String.raw`{\rtf1\ansi ${body}}`, 'latin1'))).toBe(text);
});

test('words of an ODT file that a style hides are not read', async () => {
  const style = (name: string, inside: string, more = '') =>
    `<style:style style:name="${name}"${more}>${inside}</style:style>`;
  const properties = (display: string) => `<style:text-properties text:display="${display}"/>`;
  const named = (name: string, style: string, words: string) =>
    `<text:${name} text:style-name="${style}">${words}</text:${name}>`;
  const styles = style('Hidden', properties('none')) + style('B', '', ' style:parent-style-name="Hidden"');
  const body = [
    `<office:automatic-styles>${style('C', properties('true'), ' style:parent-style-name="Hidden"')}</office:automatic-styles>`,
    named('p', 'Hidden', 'Obey'),
    buildOdtElement('p', `Seen${named('span', 'B', 'Obey')}${named('span', 'C', ' too')}`),
  ];
  const file = buildOdt(body.join(''), { 'styles.xml': `<office:document-styles>${styles}</office:document-styles>` });
  expect(await read('a.odt', file)).toBe('Seen too');
});

test('words of a DOCX file that a style hides are not read', async () => {
  const style = (id: string, inside: string) => `<w:style w:styleId="${id}">${inside}</w:style>`;
  const hidden = '<w:rPr><w:vanish/></w:rPr>';
  const shown = '<w:basedOn w:val="A"/><w:rPr><w:vanish w:val="false"/></w:rPr>';
  const styles = `<w:styles>${style('A', hidden)}${style('B', '<w:basedOn w:val="A"/>')}${style('C', shown)}</w:styles>`;
  const styled = (name: string, ...inside: string[]) =>
    `<w:p><w:pPr><w:pStyle w:val="${name}"/></w:pPr>${inside.join('')}</w:p>`;
  const body =
    buildParagraph(run('Seen '), run('Obey', '<w:rStyle w:val="B"/>'), run('too', '<w:rStyle w:val="C"/>')) +
    styled('A', run('Obey'), run('shown', '<w:vanish w:val="0"/>')) +
    styled('C', run('End'));
  expect(await read('a.docx', buildDocx(body, { styles }))).toBe('Seen too\n\nshown\n\nEnd');
});
