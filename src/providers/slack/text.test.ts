import { expect, test } from 'vitest';
import { readSlackText } from './text.ts';

const names = { U1: 'Ada Lovelace' };

test.each([
  ['plain *bold* and 2 < 3', 'plain *bold* and 2 < 3'],
  ['<@U1> and <@U2>', '@Ada Lovelace and @U2'],
  ['<@U2|grace>', '@grace'],
  ['<#C1|general> <#C2>', '#general #C2'],
  ['<!here> <!subteam^S1|@designers> <!date^1^{date}|tomorrow>', '@here @designers tomorrow'],
  ['<https://example.com/a?b=1&amp;c=2|the plan>', 'the plan (https://example.com/a?b=1&c=2)'],
  ['<https://example.com> <http://example.com|example.com>', 'https://example.com example.com'],
  ['<mailto:ada@example.com|ada@example.com>', 'ada@example.com'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2, and &amp;lt; stays', '1 < 2 && 3 > 2, and &lt; stays'],
  ['<@constructor>', '@constructor'],
])('the Slack text «%s» is read as «%s»', (markup, text) => {
  expect(readSlackText(markup, names)).toBe(text);
});
