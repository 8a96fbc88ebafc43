import { expect, test } from 'vitest';
import { findStreamErrors } from './check-streams.ts';
import { descriptorSchema, type Descriptor } from './descriptor.ts';

const descriptor: Descriptor = {
  name: 'shelf',
  label: 'Shelf',
  description: 'Things on a shelf.',
  provider: 'shelf',
  scopes: [],
  coverage: { goesBack: 'All of them.', notRead: [] },
  api: { baseUrl: 'https://shelf.example.com' },
  streams: [
    {
      name: 'things',
      listing: {
        call: {
          method: 'GET',
          path: '/things',
          queryParams: { after: '{{since}}', before: '{{until}}', at: '{{page}}' },
        },
        items: 'things',
        paging: { by: 'token', at: 'next' },
      },
      since: { at: 'at', as: 'iso' },
      page: {
        type: 'thing',
        ref: '{{item.id}}',
        title: '{{item.name}}',
        body: ['{{item.text}}'],
        frontmatter: { link: '{{item.url}}' },
        author: '{{item.by}}',
        occurredAt: '{{item.made}}',
      },
    },
  ],
};
const placeholders = [...new Set(JSON.stringify(descriptor.streams).match(/\{\{[^{}]+\}\}/g))];

test('a description whose placeholders all can have a value is accepted', () => {
  expect(descriptorSchema.safeParse(descriptor).error).toBeUndefined();
  expect([...findStreamErrors(descriptor)]).toEqual([]);
});

test.each(placeholders)('a description with the placeholder %s misspelt is refused', (placeholder) => {
  const misspelt = JSON.stringify(descriptor).replaceAll(placeholder, placeholder.replace('{{', '{{no_'));
  expect([...findStreamErrors(JSON.parse(misspelt) as Descriptor)]).not.toEqual([]); // a value of the same form
});
