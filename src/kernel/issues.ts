// Describes the errors of an input in few words, however large the input is: an answer must not be larger than its
// request.
import type { z } from 'zod';
import { describeForm, isKnownTextForm } from './right-form.ts';

export type Issue = { path: string; message: string };

/** The place of a value in an input. Its text is built only for refused values. */
export type IssuePlace = { readonly name: string; readonly within: IssuePlace } | null;

export const mostIssues = 20;
const mostNames = 10;
const longestName = 60;
const longestPath = 200;
const longestMessage = 500;

/** The path of a value, such as `triggers.0.reason`, cut when it is too long to read. */
export function formatPath(place: IssuePlace): string {
  const names: string[] = [];
  for (let at = place; at; at = at.within) names.unshift(at.name);
  return joinNames(names);
}

/** The first 20 issues of a schema, each with its field, and with what the field should be. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], schema: z.ZodObject): Issue[] {
  return issues.slice(0, mostIssues).map((issue) => ({
    path: joinNames(issue.path.map(String)),
    message: cut(describeIssue(issue, schema), longestMessage),
  }));
}

/** All issues in one sentence. `all`: their total number, when some were omitted. */
export function formatIssues(issues: readonly Issue[], all: number, whole = ''): string {
  const listedIssues = issues
    .map(({ path, message }) => (path || whole ? `${path || whole}: ${message}` : message))
    .join('; ');
  return all > issues.length ? `${listedIssues}; and ${all - issues.length} more.` : listedIssues;
}

function joinNames(names: readonly string[]): string {
  return cut(names.map((name) => cut(name, longestName)).join('.'), longestPath);
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodObject): string {
  if (issue.code === 'unrecognized_keys') {
    const known = issue.path.length ? '' : ` Known fields: ${Object.keys(schema.shape).join(', ') || 'none'}.`;
    const unknown = issue.keys.slice(0, mostNames).map((key) => `'${key.slice(0, longestName)}'`);
    const more = issue.keys.length > mostNames ? ` and ${issue.keys.length - mostNames} more` : '';
    return `unknown field ${unknown.join(', ')}${more}.${known}`;
  }
  if (issue.code === 'invalid_type' && issue.message.includes('received undefined')) return 'required but missing';
  if (issue.code === 'too_small' && issue.origin === 'array') return `needs at least ${issue.minimum}`;
  if (issue.code === 'too_big' && issue.origin === 'array') return `takes at most ${issue.maximum}`;
  const bound = describeBound(issue);
  if (bound !== null) return bound;
  const form = isAboutType(issue) || isAboutFormat(issue) ? describeForm(schema, issue.path) : null;
  return form === null ? issue.message : `${issue.message}; give ${form}`;
}

/**
 * The limit of a text's length or of a number; null: the issue is about something else, or has a message of our own.
 */
function describeBound(issue: z.core.$ZodIssue): string | null {
  if ((issue.code !== 'too_small' && issue.code !== 'too_big') || !issue.message.startsWith('Too ')) return null;
  if (issue.origin === 'string') {
    if (issue.code === 'too_small' && Number(issue.minimum) === 1) return 'is empty';
    return issue.code === 'too_small'
      ? `needs at least ${issue.minimum} characters`
      : `takes at most ${issue.maximum} characters`;
  }
  if (issue.origin !== 'number' && issue.origin !== 'int') return null;
  if (issue.code === 'too_small')
    return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
  return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
}

/** Whether a text has the wrong format, such as that of a time, and the issue has no message of our own. */
function isAboutFormat(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_format' && isKnownTextForm(issue.format) && issue.message.startsWith('Invalid ');
}

/** Whether a value has the wrong type, and the issue has no message of our own. */
function isAboutType({ code, message }: z.core.$ZodIssue): boolean {
  return (code === 'invalid_type' || code === 'invalid_union') && message.startsWith('Invalid input');
}
