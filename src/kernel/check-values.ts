import { mostIssues, formatPath, type Issue, type IssuePlace } from './issues.ts';

/** Deeper than any valid input, and far less deep than the nesting at which recursion would crash the process. */
const deepest = 50;
/** More values than any valid input has. A schema takes time for each value, and other callers wait meanwhile. */
const mostValues = 20_000;

type ValueCheck = { issues: Issue[]; left: number };

/**
 * Refuses values that no operation accepts, whatever its schema: too many values, values nested too deeply, and texts
 * that the database cannot store (with NUL or half a surrogate pair). Stops after 20 errors.
 */
export function checkValues(value: unknown): Issue[] {
  const look: ValueCheck = { issues: [], left: mostValues };
  visit(look, { value, place: null, depth: 0 });
  if (look.left >= 0) return look.issues;
  return [{ path: '', message: `has more than ${mostValues} values. Send less, or in parts.` }];
}

function visit(look: ValueCheck, { value, place, depth }: { value: unknown; place: IssuePlace; depth: number }): void {
  look.left -= 1;
  if (look.left < 0 || look.issues.length >= mostIssues) return;
  if (typeof value === 'string') return checkText(look, value, place);
  if (typeof value !== 'object' || value === null) return;
  if (depth > deepest) return void look.issues.push({ path: formatPath(place), message: 'is nested too deeply.' });
  const isList = Array.isArray(value);
  for (const name in value) {
    const inside = { name, within: place };
    if (!isList) checkText(look, name, inside);
    visit(look, { value: (value as Record<string, unknown>)[name], place: inside, depth: depth + 1 }); // the name is one of its keys
    if (look.left < 0 || look.issues.length >= mostIssues) return;
  }
}

function checkText({ issues }: ValueCheck, text: string, place: IssuePlace): void {
  if (text.includes('\0')) {
    issues.push({ path: formatPath(place), message: 'contains a NUL character. Remove it.' });
  } else if (!text.isWellFormed()) {
    issues.push({
      path: formatPath(place),
      message: 'contains an incomplete Unicode character. Cut the text between whole characters.',
    });
  }
}
