import { relative } from 'node:path';
import { publishedViews, tableOwners } from './table-owners.mjs';

const reading = /^(?:selectFrom|using|from|table|\w+Join(?:Lateral)?)$/;
const writing = /^(?:insertInto|replaceInto|updateTable|deleteFrom|mergeInto)$/;
const name = String.raw`(?:only\s+)?"?[a-z_]+"?(?:\s+(?:as\s+)?[a-z_]+)?`;
/** A keyword of SQL and the tables behind it, each with its alias. */
const listed = new RegExp(
  String.raw`\b(delete\s+from|from|join|into|update|using|table)\s+(${name}(?:\s*,\s*${name})*)`,
  'gi',
);
const isSql = /\b(?:select|insert into|delete from)\b/;

/** @typedef {import('./syntax.mjs').Node} Node */

/**
 * Only the part of `src` that owns a table names it: in queries, in SQL, in the types of tables, and as `{ table: … }`.
 * @type {import('./syntax.mjs').Rule}
 */
export const ownTables = {
  create(context) {
    const part = findPart(relative(context.cwd, context.filename));
    if (!part) return {};
    /**
     * @param {Node} node
     * @param {string} table
     * @param {boolean} [isWritten]
     */
    function check(node, table, isWritten = false) {
      const owner = tableOwners.get(table);
      if (owner && owner !== part)
        context.report({
          node,
          message: `The table ${table} belongs to ${owner}. Call a function of ${owner}, or read a view that it publishes.`,
        });
      if (isWritten && publishedViews.has(table))
        context.report({ node, message: `The view ${table} is only read. Call a function of the owner of its table.` });
    }
    /**
     * @param {Node} node
     * @param {string} text
     */
    function checkSql(node, text) {
      for (const { table, isWritten } of listTables(text)) check(node, table, isWritten);
    }
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
        const isWritten = writing.test(callee.property.name);
        if (!isWritten && !reading.test(callee.property.name)) return;
        const [first] = node.arguments;
        for (const each of first?.type === 'ArrayExpression' ? first.elements : [first])
          if (each?.type === 'Literal' && typeof each.value === 'string')
            check(node, each.value.split(/\s/, 1)[0] ?? '', isWritten);
      },
      TemplateLiteral(node) {
        const text = node.quasis.map(({ value }) => value.raw).join(' $ ');
        const isTagged = node.parent.type === 'TaggedTemplateExpression' && isTaggedSql(node.parent.tag);
        if (isTagged || isSql.test(text)) checkSql(node, text);
      },
      Literal(node) {
        if (typeof node.value === 'string' && isSql.test(node.value)) checkSql(node, node.value);
      },
      Property(node) {
        if (node.key.type !== 'Identifier' || node.key.name !== 'table') return;
        if (node.value.type === 'Literal' && typeof node.value.value === 'string') check(node, node.value.value);
      },
      TSTypeLiteral(node) {
        if (!isOfTables(node)) return;
        for (const member of node.members)
          if (member.type === 'TSPropertySignature' && member.key.type === 'Identifier') check(member, member.key.name);
      },
    };
  },
};

/** @param {Node} tag */
function isTaggedSql(tag) {
  return tag.type === 'Identifier' && tag.name === 'sql';
}

/**
 * The tables that SQL names, and whether it writes to them.
 * @param {string} text
 */
function listTables(text) {
  const statement = text.replace(/\b(?:distinct|epoch|day|year|month|hour) from\b/gi, ' ');
  return [...statement.matchAll(listed)].flatMap(([, word = '', list = '']) =>
    list.split(',').map((each) => ({
      table: /[a-z_]+/.exec(each.replace(/^\s*only\s/i, ''))?.[0] ?? '',
      isWritten: /^(?:delete|into|update)/i.test(word),
    })),
  );
}

/**
 * Whether a type names tables: `type Tables = {…}`, `Kysely<{…}>` or `withTables<{…}>()`.
 * @param {Node} node
 * @returns {boolean}
 */
function isOfTables({ parent }) {
  if (parent?.type === 'TSTypeAliasDeclaration') return parent.id.name.endsWith('Tables');
  if (parent?.type === 'TSIntersectionType') return isOfTables(parent);
  const user = parent?.type === 'TSTypeParameterInstantiation' ? parent.parent : undefined;
  if (user?.type === 'CallExpression')
    return (
      user.callee.type === 'MemberExpression' &&
      user.callee.property.type === 'Identifier' &&
      user.callee.property.name === 'withTables'
    );
  if (user?.type !== 'TSTypeReference' || user.typeName.type !== 'Identifier') return false;
  return /^(?:Kysely|Transaction)$/.test(user.typeName.name);
}

/**
 * The part of `src` that a file is in: a module by its name, another part with its layer.
 * @param {string} file
 */
function findPart(file) {
  const match = /^src\/(?:modules\/([^/]+)\/|((?:platform|providers|faces)\/[^/]+)|(kernel)\/|[^/]+$)/.exec(file);
  return match && (match[1] ?? match[2] ?? match[3] ?? 'src');
}
