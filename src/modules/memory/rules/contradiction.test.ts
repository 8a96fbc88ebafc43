import { expect, test } from 'vitest';
import { findContradiction } from './contradiction.ts';

const contradicting: [newer: string, older: string][] = [
  ['The standup is at 10:00', 'The standup is at 9:30'],
  ['The Q3 marketing budget is 55,000 euros', 'The Q3 marketing budget is 40,000 euros'],
  ['Uploads are limited to 50 MB', 'Uploads are limited to 25 MB'],
  ['Refunds take 14 days', 'Refunds take 5 days'],
  ['The discount for schools is 30%', 'The discount for schools is 20%'],
  ['We no longer deploy on Fridays', 'We deploy on Fridays'],
  ['We do not use feature flags in the billing service', 'We use feature flags in the billing service'],
  ['The export is not available on the free plan', 'The export is available on the free plan'],
  ['Guests may park behind the building', 'Guests may not park behind the building'],
  ['We use GitHub Actions instead of Jenkins for builds', 'Builds run on Jenkins'],
  ['The team switched from Slack to Zulip for chat', 'The team uses Slack for chat'],
  ['We replaced Redis with Postgres for the job queue', 'The job queue runs on Redis'],
  ['Dark mode is disabled by default', 'Dark mode is enabled by default'],
  ['The second form field is optional', 'The second form field is required'],
  ['The repository is public', 'The repository is private'],
  ['Ana dislikes long meetings', 'Ana likes long meetings'],
  ['Invoices go out on Friday', 'Invoices go out on Monday'],
  ['The launch is planned for April', 'The launch is planned for March'],
  ['The owner of billing is Bo', 'The owner of billing is Ana'],
  ['Maria lives in Porto', 'Maria lives in Lisbon'],
  ['The logo background is blue', 'The logo background is green'],
  ['The contract was rejected by legal', 'The contract was approved by legal'],
  ['The newsletter is sent monthly', 'The newsletter is sent weekly'],
];

const compatible: [newer: string, older: string][] = [
  ['Invoice 1042 was paid late', 'Invoice 1041 was paid late'],
  ['Revenue in 2025 was 5 million', 'Revenue in 2024 was 4 million'],
  ['Room 12 seats 8 people', 'Room 14 seats 20 people'],
  ['Bo likes coffee', 'Ana likes coffee'],
  ['We ship to Italy', 'We ship to Spain'],
  ['We use feature flags in the search service', 'We do not use Redis in the billing service'],
  ['Refunds take 5 days', 'Refunds take 5 days'],
  ['Refunds take 5 days and are paid by Finance', 'Refunds take 5 days'],
  ['The standup is at 9:30 in the blue room', 'The standup is at 9:30'],
  ['Dark mode is enabled by default', 'Dark mode is on by default and enabled for all'],
  ['The API is fast', 'The database migration was slow'],
  ['We decided to keep Jenkins', 'Builds run on Jenkins'],
  ['Maria likes tea', 'Maria lives in Lisbon'],
  ['Sprint 12 ends on Friday', 'Sprint 11 ends on Monday'],
  ['The invoice run happens on the third Tuesday', 'The board meets on the first Monday'],
  ['Noah joined the design team', 'Priya left the sales team'],
  ['Uploads are limited to 25 MB', 'Downloads are limited to 100 MB per day for guests'],
  ['We do not deploy on Fridays', 'We never deploy on Fridays'],
  ['Postgres is the database of the memory service', 'Redis is the cache of the chat service'],
  ['The harbour is open to visitors', 'The kiln is closed for repairs this winter'],
];

test.for(contradicting)('the text «%s» contradicts «%s», with a reason', ([newer, older]) => {
  expect(findContradiction(newer, older)?.reason).toMatch(/^It .+\.$/);
});

test.for(compatible)('the texts «%s» and «%s» can both be true', ([newer, older]) => {
  expect(findContradiction(newer, older)).toBeNull();
});

test('a long text is not checked', () => {
  const words = Array.from({ length: 80 }, (_, at) => `harbour${String.fromCharCode(97 + (at % 26), 97 + (at % 7))}`);
  expect(findContradiction(`${words.join(' ')} is 5`, `${words.join(' ')} is 6`)).toBeNull();
});

test.for([
  ['We use GitHub Actions instead of Jenkins for builds', 'Builds run on Jenkins', 'replacement'],
  ['Refunds take 14 days', 'Refunds take 5 days', 'number'],
  ['The repository is public', 'The repository is private', 'opposite'],
  ['We no longer deploy on Fridays', 'We deploy on Fridays', 'negation'],
  ['Invoices go out on Friday', 'Invoices go out on Monday', 'value'],
] as const)('the text «%s» contradicts «%s» by a %s', ([newer, older, kind]) => {
  expect(findContradiction(newer, older)?.kind).toBe(kind);
});
