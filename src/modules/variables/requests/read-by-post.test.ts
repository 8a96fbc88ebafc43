import { describe, expect, test } from 'vitest';
import { checkDeclaredReads, isDeclaredRead } from './read-by-post.ts';

const url = 'https://api.example.com/v1/search';
const graphql = 'query Find($q: String!) { search(q: $q) { id } }';
const json = { 'content-type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const handle = `sec_${'a'.repeat(24)}`;
const isRead = (more: object, line: object = {}) =>
  isDeclaredRead([{ method: 'POST', url, ...line }], { method: 'POST', url, headers: json, ...more });

describe('a declared endpoint', () => {
  test.for<[string, object]>([
    ['another path', { url: 'https://api.example.com/v1/delete' }],
    ['a path below it', { url: `${url}/x` }],
    ['a final slash', { url: `${url}/` }],
    ['a final dot', { url: `${url}.` }],
    ['other letters', { url: 'https://api.example.com/v1/Search' }],
    ['a path parameter', { url: `${url};a=1` }],
    ['an encoded slash', { url: 'https://api.example.com/v1%2Fsearch' }],
    ['a double slash', { url: 'https://api.example.com//v1/search' }],
    ['a query', { url: `${url}?q=1` }],
    ['an empty query', { url: `${url}?` }],
    ['another host', { url: 'https://evil.example.com/v1/search' }],
    ['another port', { url: 'https://api.example.com:8443/v1/search' }],
    ['another scheme', { url: url.replace('https', 'http') }],
    ['a user name', { url: url.replace('//', '//api.example.com@') }],
    ['a handle in the path', { url: `https://api.example.com/v1/${handle}` }],
    ['no address', { url: 'search' }],
    ['PUT', { method: 'PUT' }],
    ['PATCH', { method: 'PATCH' }],
    ['DELETE', { method: 'DELETE' }],
    ['post in small letters', { method: 'post' }],
    ['a body of no type', { headers: {}, body: '{}' }],
    ['plain text', { headers: { 'content-type': 'text/plain' }, body: '{}' }],
    ['parts', { headers: { 'content-type': 'multipart/form-data; boundary=a' }, body: '--a--' }],
    ['a GraphQL document', { headers: { 'content-type': 'application/graphql' }, body: '{ a }' }],
    ['two types', { headers: { ...json, ...form }, body: '{}' }],
    ['another charset', { headers: { 'content-type': 'application/json; charset=utf-7' }, body: '{}' }],
    ['a packed body', { headers: { ...json, 'Content-Encoding': 'gzip' }, body: '{}' }],
    ['a body that is no text', { body: { query: 'a' } }],
    ['broken JSON', { body: '{"query":' }],
    ['a JSON text', { body: '"mutation { drop }"' }],
    ['a mutation', { body: '{"query":"mutation { drop }"}' }],
    ['a mutation in other letters', { body: '{"Query":"\\u006dutation { drop }"}' }],
    ['a subscription', { body: '{"query":"subscription { a }"}' }],
    ['a query that nobody accepted', { body: '{"query":"{ a }"}' }],
    ['a batch', { body: '[{"query":"cats"},{"query":"{ a }"}]' }],
    ['a mutation in another field', { body: '{"text":"mutation { drop }"}' }],
    ['a name twice', { body: '{"query":"cats","query":"dogs"}' }],
    ['a name twice below', { body: '[{"a":{"b":1,"b":2}}]' }],
    ['a stored text', { body: '{"extensions":{"persistedQuery":{"sha256Hash":"ab"}}}' }],
    ['a stored text by its id', { body: '{"doc_id":"1"}' }],
    ['a text that depends on a secret', { body: `{"query":"${handle}"}` }],
    ['a name that depends on a secret', { body: `{"${handle}":"a"}` }],
    ['deep nesting with a mutation', { body: `${'['.repeat(9_000)}"mutation {a}"${']'.repeat(9_000)}` }],
    ['a mutation in a form', { headers: form, body: 'query=mutation%7Bdrop%7D' }],
    ['JSON in a form', { headers: form, body: 'requests=%5B%7B%22query%22%3A%22a%22%7D%5D' }],
    ['a form parted by ;', { headers: form, body: 'a=1;query=a' }],
    ['JSON that is called a form', { headers: form, body: '{"query":"mutation{a}"}' }],
  ])('is not read with %s', ([, more]) => {
    expect(isRead(more)).toBe(false);
  });

  test.for<[string, object]>([
    ['another text', { query: 'query Find { all { id } }' }],
    ['a text with another space', { query: `${graphql} ` }],
    ['a mutation', { query: 'mutation { drop }' }],
    ['no text', {}],
    ['the text in a variable', { query: '$q', variables: { q: graphql } }],
    ['a second text in other letters', { query: graphql, Query: 'mutation { drop }' }],
    ['extensions', { query: graphql, extensions: {} }],
    ['a batch', [{ query: graphql }]],
  ])('with a GraphQL text is not read with %s', ([, body]) => {
    expect(isRead({ body: JSON.stringify(body) }, { graphql })).toBe(false);
    expect(isRead({ body: '' }, { graphql })).toBe(false);
  });

  test('is not read at a service that writes on GET, nor where nothing is declared', () => {
    const slack = 'https://slack.com/api/search.messages';
    expect(isDeclaredRead([{ method: 'POST', url: slack }], { method: 'POST', url: slack })).toBe(false);
    expect(isDeclaredRead([], { method: 'POST', url })).toBe(false);
  });

  test.for<[string, object, object?]>([
    ['a search', { body: '{"query":"cats","numResults":10,"api_key":"sec_x"}' }],
    ['a search of Elasticsearch', { body: '{ "query": { "match": { "title": "a:b" } }, "size": 1e3 }' }],
    ['a search about mutations', { body: '{"query":"what is a mutation?"}' }],
    ['no body', { headers: {} }],
    ['a form', { headers: form, body: 'q=cats&n=10' }],
    ['the same address written otherwise', { url: 'HTTPS://API.example.com.:443/v1/%73earch#part', body: '{}' }],
    ['its text with variables', { body: JSON.stringify({ query: graphql, variables: { q: '{' } }) }, { graphql }],
  ])('is read with %s', ([, more, line]) => {
    expect(isRead(more, line)).toBe(true);
  });
});

describe('a line of a grant', () => {
  const check = (line: unknown) => () => checkDeclaredReads([line], ['api.example.com', 'slack.com']);

  test.for<[string, object, RegExp]>([
    ['PUT', { method: 'PUT' }, /no other method/],
    ['DELETE', { method: 'DELETE' }, /no other method/],
    ['another field', { headers: {} }, /Unrecognized/],
    ['no address', { url: 'search' }, /is not valid/],
    ['an address that is not exact', { url: 'https://api.example.com./v1/%73earch' }, /exact address/],
    ['a part of a page', { url: `${url}#a` }, /exact address/],
    ['a path of several readings', { url: `${url}/..;/drop` }, /several ways/],
    ['an encoded path', { url: 'https://api.example.com/v1%2Fsearch' }, /several ways/],
    ['a handle', { url: `${url}?key=${handle}` }, /depends on a value/],
    ['a name in braces', { url: `${url}?key={{name}}` }, /depends on a value/],
    ['another method in the address', { url: `${url}?_method=DELETE` }, /another method/],
    ['a service that writes on GET', { url: 'https://slack.com/api/search.messages' }, /Slack Web API/],
    ['a host that is not acknowledged', { url: 'https://other.example.com/search' }, /none of the hosts/],
    ['a GraphQL address without a text', { url: 'https://api.example.com/graphql' }, /looks like GraphQL/],
    ['a mutation', { graphql: 'mutation { drop }' }, /queries alone/],
    ['a mutation beside a query', { graphql: 'query A { a } mutation B { drop }' }, /queries alone/],
    ['a subscription', { graphql: 'subscription { a }' }, /queries alone/],
    ['a schema', { graphql: 'type A { a: Int }' }, /queries alone/],
    ['a broken text', { graphql: 'query {' }, /queries alone/],
    ['a text with a setting', { graphql: '{ a(b: "{{c}}") }' }, /depends on a value/],
  ])('is refused with %s', ([, more, why]) => {
    expect(check({ method: 'POST', url, ...more })).toThrow(why);
  });

  test('is a list of lines', () => {
    for (const lines of [undefined, {}, [], 'all', Array.from({ length: 21 }, () => ({ method: 'POST', url }))])
      expect(() => checkDeclaredReads(lines, ['api.example.com'])).toThrow(/list of 1 to 20/);
    expect(check({ method: 'POST', url })).not.toThrow();
    expect(check({ method: 'POST', url: 'https://api.example.com/graphql', graphql })).not.toThrow();
    expect(check({ method: 'POST', url, graphql: 'query A { ...F } fragment F on T { a }' })).not.toThrow();
  });
});
