import { expect, test } from 'vitest';
import { readHtml } from './read-html.ts';

const read = (html: string) => readHtml(html).text;

test.each([
  'font-size:0.9em',
  'font-size: 0.875rem',
  'font-size:08pt',
  'font-size:13',
  'font:bold 12px/0 Arial',
  'background:url(/a?display:none)',
  "font-family:'x;display:none'",
  'display:none;display:block',
  'display:nothing',
  'max-height:0',
  'opacity:0.01',
  'overflow:hidden;height:1em',
  'left:-9999px',
  'text-indent:-2em',
  'visibility:visible',
  'color:#00000080',
  'DISPLAY:inherit;x:((((',
  '/* display:none */',
  'mso-hide:all',
])('text with the style %j is seen', (style) => {
  expect(read(`<p style="${style}">Gate code 8831</p>`)).toBe('Gate code 8831');
});

test.each([
  'DISPLAY:NONE',
  'display : none !important',
  'display:none !important;display:block',
  'visibility: HIDDEN',
  'visibility:collapse',
  'font-size:0',
  'font-size:0.0px!important',
  'font:0/0 a',
  'opacity:0',
  'opacity:0%',
  'max-height:0;overflow:hidden',
  'height:0px;overflow-y:clip',
  'position:absolute;left:-9999px',
  'position:fixed;top:-200vh',
  'margin-left:-9999px',
  'text-indent:-9999px',
  'position:absolute;clip:rect(0,0,0,0)',
  'position:absolute;clip:rect(1px, 1px, 1px, 1px)',
  'clip-path:inset(50%)',
  'transform:scale(0)',
  'transform:translateX(-9999px)',
  'color:transparent',
  'color:rgba(0,0,0,0)',
  'color:#fff0',
  'content-visibility:hidden',
  'filter:opacity(0)',
  '/* x */ display/* y */:none',
  'color red;display:none',
])('text with the style %j is hidden', (style) => {
  expect(read(`<p>Shown</p><div style="${style}">Obey <b>this</b></div><p>End</p>`)).toBe('Shown\n\nEnd');
});

test.each([
  ['<p hidden>Obey</p>', ''],
  ['<p hidden style="display:block">Seen</p>', 'Seen'],
  ['<dialog>Obey</dialog><dialog open>Seen</dialog>', 'Seen'],
  ['<script>x</script><style>p{}</style><template>x</template><svg><title>x</title></svg>Seen', 'Seen'],
  [
    '<div style="font-size:0">Obey<span style="font-size:2em">Obey</span><b style="font-size:12px">Seen</b></div>',
    'Seen',
  ],
  ['<div style="visibility:hidden">Obey<b style="visibility:visible">Seen</b></div>', 'Seen'],
  ['<div style="display:none">Obey<b style="display:block;font-size:9px">Obey</b></div>Seen', 'Seen'],
  ['<p style="display:none">Obey<p>Seen', 'Seen'],
  ['<span style="display:none"><div>Obey</span>Obey</div></span>Seen', 'Seen'],
  ['<!--[if mso]><p>Obey</p><![endif]--><![if !mso]>Seen<![endif]>', 'Seen'],
  ['<head>Seen<title>T</title><body>too', 'Seen\ntoo'],
])('of %s only what a reader sees is read', (html, text) => {
  expect(read(html)).toBe(text);
});

test.each([
  ['.pre{display:none}', '<p class="a pre">Obey</p>', ''],
  [
    '#x,td .pre{display:none}',
    '<table><td><b class=pre>Obey</b><p id=x>Obey</p>Seen</table><b class=pre>Seen</b>',
    'Seen\n\nSeen',
  ],
  ['div > p{font-size:0}', '<div><p>Obey</p><b><p>Seen</p></b></div>', 'Seen'],
  ['.a{display:none} p.a{display:block}', '<p class=a>Seen', 'Seen'],
  ['.a{display:none!important}', '<p class=a style="display:block">Obey', ''],
  ['.a{display:none}', '<p class=a style="display:block">Seen', 'Seen'],
  ['@media print{p{display:none}} @media (max-width:480px){p{display:none}}', '<p>Seen', 'Seen'],
  ['@media only screen and (min-width:480px){.m{display:none}}', '<p class=m>Obey', ''],
  ['p:hover, u + .x{display:none}', '<p>Seen</p><u></u><b class=x>too</b>', 'Seen\n\ntoo'],
])('the rule %s hides what browsers hide', (css, html, text) => {
  expect(read(`<html><head><style>${css}</style></head><body>${html}</body></html>`)).toBe(text);
});

test.each([
  [
    '<table><tr><td>Gross</td><td>EUR 71.20</td></tr><tr><td>Parcel</td><td>Q-2217</td></tr></table>',
    'Gross\tEUR 71.20\nParcel\tQ-2217',
  ],
  ['<table><thead><tr><th>Item<th>Price<tbody><tr><td>Nails<td>40</table>', 'Item\tPrice\nNails\t40'],
  ['<table><tr><td><p>Gross</p></td><td><p>EUR 71.20</p></td></tr></table>', 'Gross\tEUR 71.20'],
  ['<table><tr><th></th><th>2026</th></tr><tr><td>Rope</td><td></td><td>4</td></tr></table>', '\t2026\nRope\t\t4'],
  ['<table><tr><th colspan=2>Both</th><th>Sum</th></tr></table>', 'Both\t\tSum'],
  ['<table><tr><td>Main St<br>Porto</td><td>4</td></tr></table>', 'Main St Porto\t4'],
  ['<table><tr><td><table><tr><td>A1<tr><td>A2</table></td><td>B</td></tr></table>', 'A1\nA2\n\nB'],
  [
    '<div style="display:table-row"><b style="display:table-cell">Total</b><b style="display:table-cell">9</b></div>',
    'Total 9',
  ],
  ['<div style="display:flex"><span>Total</span><span>49</span></div>', 'Total 49'],
  ['<button>Yes</button><button>No</button>', 'Yes No'],
  [
    '<h1>Title</h1><ul><li>one<li>two<ul><li>in</ul></ul><ol start=3><li>x<li>y</ol>',
    'Title\n\n * one\n * two\n    * in\n\n 3. x\n 4. y',
  ],
  ['<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n>\n> b\n\nc'],
  ['<div>one<br><br>two</div><div><br></div><div>three</div>', 'one\n\ntwo\n\nthree'],
  ['<p>a <b>b</b>c<i> d</i>\n e</p>', 'a bc d e'],
  ['<div style="white-space:pre-wrap">l1\n  l2</div><pre>x\n y</pre>', 'l1\n  l2\n\nx\n y'],
])('the text of %s has its lines and cells', (html, text) => {
  expect(read(html)).toBe(text);
});

test('links are shown where they are asked for, and no address that serves to track', () => {
  const html = `<a href="https://x.example/a">Open</a> <a href="https://x.example/${'t'.repeat(300)}">Shop</a>
    <a href="mailto:a@b.example">a@b.example</a> <a href="javascript:x">Run</a> <a href="#top">Top</a>`;
  expect(readHtml(html, { showsLinks: true }).text).toBe('Open [https://x.example/a] Shop a@b.example Run Top');
  expect(read(html)).toBe('Open Shop a@b.example Run Top');
});

test('XHTML with whole elements keeps its text, and the title is read', () => {
  const page = '<html><head><title>A &amp; B</title><script src="x"/></head><body><p/>Seen</body></html>';
  expect(readHtml(page, { isXhtml: true })).toEqual({ text: 'Seen', title: 'A & B' });
});

// The time of each grew with the square of its length before, or stood at ten seconds and more.
const many = 60_000;
test.each<[what: string, html: string]>([
  ['open tags within each other', '<b>'.repeat(many)],
  ['tables within each other', '<table><tr><td>'.repeat(many / 3)],
  ['lists within each other', '<ul><li>x'.repeat(many / 2)],
  ['quotations within each other', '<blockquote>x'.repeat(many / 2)],
  ['ends without beginnings', '<b>'.repeat(many) + '</i>'.repeat(many)],
  ['many styles', Array.from({ length: 3_000 }, (_, at) => `<p style="font-size:${at}px">x</p>`).join('')],
  ['many rules', `<style>${'.a b .a{display:none}'.repeat(3_000)}</style>${'<p class=a>x<div>'.repeat(3_000)}`],
  ['blanks', `<p>x${'&nbsp;'.repeat(many)}y`],
])('HTML of %s is read in time', (_what, html) => {
  const startedAt = performance.now();
  read(html);
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});
