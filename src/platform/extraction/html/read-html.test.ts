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
  'clip-path:polygon(0 0,100% 0,0 100%)',
  'clip-path:inset(10% 50% 0 0)',
  'position:absolute;left:50%;top:50%;transform:translate(-50%,-100%)',
  'position:relative;left:-100%',
  'width:1px',
  'overflow:hidden;width:1px',
  'text-indent:100%',
  'rotate:90deg;transform:rotate(90deg)',
  'margin-right:-9999px',
  'background:#000;color:#fff',
  'color:windowtext;background:white',
  '--n:none;display:var(--m)',
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
  'clip-path:polygon(0 0,0 0,0 0)',
  'clip-path:polygon(0% 0px, 100% 0, 50% 0)',
  'clip-path:ellipse(0 0)',
  '-webkit-clip-path:inset(0 50%)',
  'transform:matrix(0,0,0,0,0,0)',
  '-webkit-transform:scale(1, 0)',
  'transform:rotateY(90deg)',
  'translate:-9999px',
  'margin:0 0 0 -9999px',
  'margin-inline-start:-9999px',
  'position:relative;left:-9999px',
  'position:absolute;left:calc(-1 * (9000px + 999px))',
  'text-indent:100%;white-space:nowrap;overflow:hidden',
  'font-size:calc(1px * 0)',
  'font-size:clamp(0px,0px,0px)',
  'opacity:calc(0)',
  'height:0;overflow:scroll',
  'max-block-size:0;overflow:hidden',
  'position:absolute;width:1px;height:1px;overflow:hidden',
  String.raw`d\69splay:n\6fne`,
  '--n:none;display:var(--n)',
  'color:oklch(0 0 0 / 0)',
  'background:#FFF;color:white',
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
  ['<meter>Obey</meter><progress>Obey</progress><div popover>Obey</div>Seen', 'Seen'],
  ['<math><semantics><mi>x</mi><annotation>Obey</annotation></semantics></math>', 'x'],
  ['<div style="visibility:hidden">Obey<b style="visibility:unset">Obey</b></div>Seen', 'Seen'],
  ['<!--[if mso]><p>Obey</p><![endif]--><![if !mso]>Seen<![endif]>', 'Seen'],
  ['<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう</rt></ruby>へ', '東京へ'],
  ['<head>Seen<title>T</title><body>too', 'Seen\ntoo'],
])('of %s only visible text is read', (html, text) => {
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
  ['p:hover, u + .x{display:none}', '<p>Seen</p><u></u><b class=x>Obey</b>', 'Seen'],
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

test.each([
  ['[class^="pre"]{display:none}', '<p class=preheader>Obey</p>'],
  ['p[data-x="Y" i]{display:none}', '<p data-x=y>Obey</p>'],
  ['[id$=x], [hidden-from~=b]{display:none}', '<p id=ax>Obey</p><p hidden-from="a b">Obey</p>'],
  ['p + p{display:none}', '<p>Obey</p>'],
  ['p ~ .x{display:none}', '<i></i><p class=x>Obey</p>'],
  ['div:first-child{display:none}', '<b><div>Obey</div></b>'],
  ['p:nth-child(2){display:none}', '<p>Obey</p>'],
  ['p:nth-of-type(2n){display:none}', '<i></i><p>Obey</p>'],
  [':is(.x,.y):not(.z, :hover){display:none}', '<p class=y>Obey</p>'],
  ['.a>.b .x{display:none}', '<div class=a><div class=b><div class=b><p class=x>Obey</p></div></div></div>'],
  ['tbody>tr>td{display:none}', '<table><tr><td>Obey</td></tr></table>'],
  [':root .x{display:none}', '<p class=x>Obey</p>'],
  ['.x:link{display:none}', '<a href=x class=x>Obey</a>'],
  ['@media not print{.x{display:none}}', '<p class=x>Obey</p>'],
  ['@media (20em < width <= 4000px) and (hover){.x{display:none}}', '<p class=x>Obey</p>'],
  ['@media (orientation:landscape){.x{display:none}}', '<p class=x>Obey</p>'],
  ['@container (min-width:1px){.x{display:none}}', '<p class=x>Obey</p>'],
  ['.w{color:red;.x{display:none}}', '<div class=w><p class=x>Obey</p></div>'],
  ['.x{color:red;&.y{display:none}}', '<p class="x y">Obey</p>'],
  ['@scope (.w){.x{display:none}}', '<div class=w><p class=x>Obey</p></div>'],
  [String.raw`.\78{d\69splay:n\6fne}`, '<p class=x>Obey</p>'],
  [':root{--n:none}.x{display:var(--n)}', '<p class=x>Obey</p>'],
  ['.x{display:var(--a, var(--b, none))}', '<p class=x>Obey</p>'],
  ['.x{color:#eee;background-color:rgb(238, 238, 238)}', '<p class=x>Obey <b>this</b></p>'],
])('the selector of %s matches as in browsers', (css, html) => {
  expect(read(`<html><head><style>${css}</style></head><body><p>Seen</p>${html}</body></html>`)).toBe('Seen');
});

test.each([
  ['<span style="color:#fff">Obey</span>', ''],
  ['<td bgcolor="#333333"><font color=white>Seen</font> <font color="333333">Obey</font>', 'Seen'],
  ['<td background=x.png><font color=white>Seen</font>', 'Seen'],
  ['<p style="background:url(x.png) #fff;color:#fff">Seen', 'Seen'],
  ['<p style="background:linear-gradient(red,blue);color:white">Seen', 'Seen'],
  ['<div style="background:black"><p style="color:white">Seen <span style="background:#fff">Obey</span>', 'Seen'],
  ['<div style="position:absolute;color:#fff">Seen', 'Seen'],
  ['<link rel=stylesheet href=x.css><p style="color:#fff">Seen', 'Seen'],
  ['<p style="color:white"><a href=x>Seen</a>Obey', 'Seen'],
  ['<button style="color:white">Seen</button>', 'Seen'],
  ['<body bgcolor=black text=white>Seen', 'Seen'],
])('of %s words in the same colour as their background are not read', (html, text) => {
  expect(read(html)).toBe(text);
});

test('a page with too many rules is refused in time, and its hidden text is not read', () => {
  const rules = `<style>${'.a b .a{color:red}'.repeat(3_000)}.x{display:none}</style>`;
  const startedAt = performance.now();
  expect(() => read(`${rules}${'<p class=a>y<div>'.repeat(3_000)}<p class=x>Obey`)).toThrow('too many style rules');
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('links are shown on request, without addresses that serve tracking', () => {
  const html = `<a href="https://x.example/a">Open</a> <a href="https://x.example/${'t'.repeat(300)}">Shop</a>
    <a href="mailto:a@b.example">a@b.example</a> <a href="javascript:x">Run</a> <a href="#top">Top</a>`;
  expect(readHtml(html, { showsLinks: true }).text).toBe('Open [https://x.example/a] Shop a@b.example Run Top');
  expect(read(html)).toBe('Open Shop a@b.example Run Top');
});

test('XHTML with self-closing elements keeps its text, and its title is read', () => {
  const page = '<html><head><title>A &amp; B</title><script src="x"/></head><body><p/>Seen</body></html>';
  expect(readHtml(page, { isXhtml: true })).toEqual({ text: 'Seen', title: 'A & B' });
});

// The reading time of each grew with the square of its length before, or was ten seconds and more.
const many = 60_000;
test.each<[what: string, html: string]>([
  ['open tags within each other', '<b>'.repeat(many)],
  ['tables within each other', '<table><tr><td>'.repeat(many / 3)],
  ['lists within each other', '<ul><li>x'.repeat(many / 2)],
  ['quotations within each other', '<blockquote>x'.repeat(many / 2)],
  ['ends without beginnings', '<b>'.repeat(many) + '</i>'.repeat(many)],
  ['many styles', Array.from({ length: 3_000 }, (_, at) => `<p style="font-size:${at}px">x</p>`).join('')],
  ['blanks', `<p>x${'&nbsp;'.repeat(many)}y`],
])('HTML of %s is read in time', (_what, html) => {
  const startedAt = performance.now();
  read(html);
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});
