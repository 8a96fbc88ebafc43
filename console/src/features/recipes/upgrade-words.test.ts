import { expect, test } from 'vitest';
import { describeField, formatValue } from './upgrade-words.ts';

test.each([
  ['datasets.people.columns.email', 'Column email of people'],
  ['datasets.people', 'Dataset people'],
  ['skills.Sort them', 'Skill Sort them'],
  ['kpis.Pilots.target', 'KPI Pilots: target'],
  ['automations.Digest.code', 'Automation Digest: Source'],
  ['automations.Digest.tool_grants.search', 'Automation Digest: May call search'],
  ['hosts.api.example.com', 'May reach api.example.com'],
  ['cost_cap_daily_usd', 'Cost a day, US dollars'],
  ['mapping.page_type', 'Mapping page type'],
])('%s is %s', (path, words) => {
  expect(describeField(path)).toBe(words);
});

test('a value is text, with the parts of objects by name', () => {
  expect(formatValue({ name: 'email', type: 'json' })).toBe('type: json');
  expect(formatValue([{ kind: 'cron', cron: '0 9 * * 1' }])).toBe('kind: cron, cron: 0 9 * * 1');
  expect(formatValue(undefined)).toBe('none');
});
