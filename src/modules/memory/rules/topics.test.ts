import { expect, test } from 'vitest';
import { extractTopics } from './topics.ts';

const examples: [content: string, first: string[]][] = [
  ['We chose Postgres over Neo4j because graph sizes per brain are small', ['Postgres', 'Neo4j', 'graph']],
  ['Thompson Sampling picks the play card; Thompson Sampling was measured', ['Thompson Sampling', 'play', 'card']],
  ['Ask Maria Lopez about the lease', ['Maria Lopez', 'lease']],
  ["The New York office follows Maria Lopez's plan", ['New York', 'Maria Lopez', 'office']],
  ['ECONNRESET comes from src/net/pool.ts when user_id is null', ['ECONNRESET', 'src/net/pool.ts', 'user_id']],
  ['The pricing page shows pricing for teams', ['pricing', 'page']],
  ['Invoices go to José García in Évora', ['Jose Garcia', 'Evora', 'Invoices']],
  ['Discounts: a discount over 20% needs approval', ['Discounts', 'approval']],
];

test.for(examples)('the first topic of «%s» is %j', ([content, first]) => {
  expect(extractTopics(content).slice(0, first.length)).toEqual(first);
});

test('words about saying something are not a topic', () => {
  expect(extractTopics('We decided to use it two times this week because people like it')).toEqual([]);
});

test('a full name and its part are one topic', () => {
  expect(extractTopics('Ada Byron wrote the notes. Byron signed them.')[0]).toBe('Ada Byron');
  expect(extractTopics('Ada Byron wrote the notes. Byron signed them.')).not.toContain('Byron');
});

test('a text has eight topics at most, and only the beginning of a long text counts', () => {
  const words = Array.from({ length: 4_000 }, (_, position) => `harbour${String.fromCharCode(97 + (position % 26))}`);
  expect(extractTopics(words.join(' '))).toHaveLength(8);
});

test('a picture or a key in letters is not a topic', () => {
  expect(extractTopics(`The logo is ${'iVBORw0KGgo'.repeat(200)}`)).toEqual(['logo']);
});
