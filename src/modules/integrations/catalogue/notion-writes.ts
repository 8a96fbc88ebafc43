// What is written at Notion. It keeps no handle: what was created is known by its likeness among what is new of the integration.
// https://developers.notion.com/reference
import type { Call, Listing } from './pieces.ts';
import type { Before, Field, Write } from './write.ts';

const uuid = '[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}';

/** Of a link the id is taken, unless it shows another page beside the one it is of (`p=`). */
function place(label: string, about: string): Field {
  return {
    kind: 'line',
    label,
    about,
    most: 2_000,
    within: `^https://[^\\s?#]*?(${uuid})(?:[?#](?!\\S*\\bp=)\\S*)?$`,
    id: `^${uuid}$`,
  };
}

const page = place('Page', 'Its id, its link, or its title.');
const title: Field = { kind: 'line', label: 'Title', most: 500 };
const text: Field = {
  kind: 'text',
  label: 'Text',
  about: 'Plain text; an empty line begins a new paragraph.',
  mostParts: 100,
};

const paragraphs = {
  $each: 'parts.text',
  $as: 'part',
  $of: {
    object: 'block',
    type: 'paragraph',
    paragraph: { rich_text: [{ type: 'text', text: { content: '{{part}}' } }] },
  },
};
const titled = { title: [{ type: 'text', text: { content: '{{input.title}}' } }] };
const titleAt = 'properties.*.title.+.plain_text';
const isOurs = { at: 'created_by.id', is: '{{me.id}}' };

function get(path: string): Call {
  return { method: 'GET', path };
}

function pages(path: string, of: Pick<Call, 'method' | 'body'>): Listing {
  const paging = { by: 'token', at: 'next_cursor' } as const;
  const items = 'results';
  if (of.method === 'GET')
    return { call: { ...get(path), queryParams: { page_size: 100, start_cursor: '{{page}}' } }, items, paging };
  return {
    call: { method: 'POST', path, body: { ...(of.body as object), page_size: 100, start_cursor: '{{page}}' } },
    items,
    paging,
  };
}

const me: Before = {
  as: 'me',
  one: { call: get('/users/me'), at: '' },
  keep: { id: 'id' },
  missing: 'Notion does not say who this integration is.',
};

/** By its id, or by its title, which search knows some time after it was given. */
function findPage(field: string): readonly Before[] {
  const missing = `There is no page {{input.${field}}} that this integration was given access to.`;
  const keep = { id: 'id', link: 'url', title: titleAt };
  const isThere = { at: 'in_trash', is: 'false' };
  return [
    {
      as: 'on',
      when: { at: `ids.${field}` },
      one: { call: get(`/pages/{{ids.${field}}}`), at: '' },
      where: [isThere],
      keep,
      missing,
    },
    {
      as: 'on',
      when: { at: `names.${field}` },
      listing: pages('/search', {
        method: 'POST',
        body: { query: `{{names.${field}}}`, filter: { property: 'object', value: 'page' } },
      }),
      where: [{ at: titleAt, is: `{{names.${field}}}` }, isThere],
      keep,
      missing,
      several: `Several pages are called {{input.${field}}}: pass the id or the link of the one that is meant.`,
    },
  ];
}

const pageNames = ['page {{on.title}}', 'page {{on.id}}', 'page {{on.link}}'];

const undo: NonNullable<Write['undo']> = {
  says: 'Move the page to the trash',
  forMinutes: 60,
  steps: [{ call: { method: 'PATCH', path: '/pages/{{result.page_id}}', body: { in_trash: true } } }],
};

const createPage: Write = {
  name: 'create_page',
  example: { parent_page_id: 'Gear plan', title: 'Bearings', text: 'What is left to do.' },
  summary: 'Create a page below a page of Notion.',
  risk: 'write',
  fields: {
    parent_page_id: place('Below', 'The page it is created in: its id, its link, or its title.'),
    title,
    text: { ...text, isOptional: true },
  },
  editable: ['title', 'text'],
  target: 'page {{input.parent_page_id}}',
  known: { names: pageNames, shown: [{ label: 'Below', text: '{{on.title}} ({{on.id}})' }] },
  title: 'Page below {{input.parent_page_id}}: {{input.title}}',
  handle: 'likeness',
  before: [me, ...findPage('parent_page_id')],
  call: {
    method: 'POST',
    path: '/pages',
    body: { parent: { type: 'page_id', page_id: '{{on.id}}' }, properties: { title: titled }, children: paragraphs },
  },
  doneWhen: { at: 'id' },
  at: '',
  result: { page_id: '{{item.id}}', link: '{{item.url}}' },
  lookups: [
    {
      listing: pages('/blocks/{{on.id}}/children', { method: 'GET' }),
      where: [{ at: 'type', is: 'child_page' }, isOurs, { at: 'child_page.title', is: '{{input.title}}' }],
      isNew: 'id',
    },
  ],
  undo,
};

const addToDatabase: Write = {
  name: 'add_to_database',
  example: { database_id: 'Tasks', title: 'Oil the gears' },
  summary: 'Add a page to a database of Notion.',
  risk: 'write',
  fields: {
    database_id: { ...place('Database', 'Its id, its link, or its title.'), isOptional: true },
    data_source_id: {
      kind: 'line',
      label: 'Data source',
      about: 'Its id, in place of the database, when that has several of them.',
      shape: { pattern: `^${uuid}$`, says: 'must be the id of a data source' },
      isOptional: true,
    },
    title,
    text: { ...text, isOptional: true },
    properties: {
      kind: 'values',
      label: 'Properties',
      about: 'By name, as Notion takes them, such as {"Done": {"checkbox": true}}. The title stands for itself.',
      isOptional: true,
    },
  },
  oneOf: ['database_id', 'data_source_id'],
  notBoth: ['database_id', 'data_source_id'],
  editable: ['title', 'text', 'properties'],
  target: 'database {{input.database_id}}{{input.data_source_id}}',
  known: {
    also: [
      {
        as: 'whole',
        one: { call: get('/data_sources/{{source.id}}'), at: '' },
        keep: { title: 'title.+.plain_text', database: 'parent.database_id' },
        missing: 'There is no data source of this database.',
      },
      {
        as: 'base',
        when: { at: 'whole.database' },
        one: { call: get('/databases/{{whole.database}}'), at: '' },
        keep: { id: 'id', title: 'title.+.plain_text', link: 'url' },
        missing: 'There is no database of this data source.',
      },
    ],
    names: [
      'database {{source.id}}',
      'database {{whole.title}}',
      'database {{base.id}}',
      'database {{base.title}}',
      'database {{base.link}}',
    ],
    shown: [
      { label: 'Database', text: '{{base.title}} ({{base.id}})' },
      { label: 'Data source', text: '{{whole.title}} ({{source.id}})' },
    ],
  },
  title: 'Page in database {{input.database_id}}{{input.data_source_id}}: {{input.title}}',
  handle: 'likeness',
  before: [
    me,
    {
      as: 'source',
      when: { at: 'ids.database_id' },
      listing: { call: get('/databases/{{ids.database_id}}'), items: 'data_sources', paging: { by: 'none' } },
      keep: { id: 'id' },
      missing: 'There is no database {{input.database_id}} that this integration was given access to.',
      several:
        'The database has several data sources: pass the id of the one that is meant as data_source_id, in place of the database.',
    },
    {
      as: 'source',
      when: { at: 'names.database_id' },
      listing: pages('/search', {
        method: 'POST',
        body: { query: '{{names.database_id}}', filter: { property: 'object', value: 'data_source' } },
      }),
      where: [{ at: 'title.+.plain_text', is: '{{names.database_id}}' }],
      keep: { id: 'id' },
      missing: 'There is no database {{input.database_id}} that this integration was given access to.',
      several: 'Several databases are called {{input.database_id}}: pass the id or the link of the one that is meant.',
    },
    {
      as: 'source',
      when: { at: 'input.data_source_id' },
      one: { call: get('/data_sources/{{input.data_source_id}}'), at: '' },
      keep: { id: 'id' },
      missing: 'There is no data source {{input.data_source_id}} that this integration was given access to.',
    },
  ],
  call: {
    method: 'POST',
    path: '/pages',
    body: {
      parent: { type: 'data_source_id', data_source_id: '{{source.id}}' },
      properties: { $with: 'input.properties', $of: { title: titled } },
      children: paragraphs,
    },
  },
  doneWhen: { at: 'id' },
  at: '',
  result: { page_id: '{{item.id}}', link: '{{item.url}}' },
  lookups: [
    {
      listing: pages('/data_sources/{{source.id}}/query', {
        method: 'POST',
        body: {
          filter: { timestamp: 'created_time', created_time: { on_or_after: '{{draft.since}}' } },
          sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
        },
      }),
      where: [isOurs, { at: titleAt, is: '{{input.title}}' }],
      isNew: 'id',
    },
  ],
  undo,
};

const appendToPage: Write = {
  name: 'append_to_page',
  example: { page_id: 'Gear plan', text: 'The third wheel slips.' },
  summary: 'Add text at the end of a page of Notion.',
  risk: 'write',
  fields: { page_id: page, text },
  editable: ['text'],
  target: 'page {{input.page_id}}',
  known: { names: pageNames, about: '{{on.title}}', shown: [{ label: 'Page', text: '{{on.title}} ({{on.id}})' }] },
  title: 'Text at the end of page {{input.page_id}}',
  handle: 'likeness',
  before: [me, ...findPage('page_id')],
  call: { method: 'PATCH', path: '/blocks/{{on.id}}/children', body: { children: paragraphs } },
  at: 'results.-1',
  result: { page_id: '{{on.id}}', last_block_id: '{{item.id}}', link: '{{on.link}}' },
  // All of it is taken, or nothing: the last paragraph tells.
  lookups: [
    {
      listing: pages('/blocks/{{on.id}}/children', { method: 'GET' }),
      where: [isOurs, { at: 'paragraph.rich_text.+.plain_text', is: '{{parts.text.-1}}' }],
      isNew: 'id',
    },
  ],
};

const createComment: Write = {
  name: 'create_comment',
  example: { page_id: 'Gear plan', text: 'Is this still so?' },
  summary: 'Comment on a page of Notion.',
  risk: 'write',
  fields: { page_id: page, text: { kind: 'text', label: 'Comment', about: 'Plain text.', most: 2_000 } },
  editable: ['text'],
  target: 'page {{input.page_id}}',
  known: { names: pageNames, about: '{{on.title}}', shown: [{ label: 'Page', text: '{{on.title}} ({{on.id}})' }] },
  title: 'Comment on page {{input.page_id}}',
  handle: 'likeness',
  before: [me, ...findPage('page_id')],
  call: {
    method: 'POST',
    path: '/comments',
    body: { parent: { page_id: '{{on.id}}' }, rich_text: [{ type: 'text', text: { content: '{{input.text}}' } }] },
  },
  doneWhen: { at: 'id' },
  at: '',
  result: { comment_id: '{{item.id}}', page_id: '{{on.id}}', link: '{{on.link}}' },
  lookups: [
    {
      listing: {
        call: {
          ...get('/comments'),
          queryParams: { block_id: '{{on.id}}', page_size: 100, start_cursor: '{{page}}' },
        },
        items: 'results',
        paging: { by: 'token', at: 'next_cursor' },
      },
      where: [isOurs],
      like: [{ at: 'rich_text.+.plain_text', is: '{{input.text}}', isLoose: true }],
      isNew: 'id',
    },
  ],
};

/** What can be written at Notion. */
export const notionWrites: readonly Write[] = [createPage, addToDatabase, appendToPage, createComment];
