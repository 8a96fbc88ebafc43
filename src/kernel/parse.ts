import { z } from 'zod';
import { AppError } from './errors.ts';
import type { Operation } from './operation.ts';

/** Parses an operation's input strictly. Throws `invalid_input` that names each field and what it should be. */
export function parseInput(operation: Operation, raw: unknown): Record<string, unknown> {
  const parsed = operation.input.safeParse(raw ?? {});
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.'),
    message: sentence(issue, operation),
  }));
  const text = issues.map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message)).join('; ');
  throw new AppError('invalid_input', `Invalid input for ${operation.name}. ${text}`, { issues: issues.slice(0, 20) });
}

/** Checks what an operation answers, and drops fields its schema does not name. A mismatch is our own fault. */
export function checkOutput(operation: Operation, output: unknown): unknown {
  const parsed = operation.output.safeParse(output);
  if (parsed.success) return parsed.data;
  throw new Error(`${operation.name} answered what its schema does not allow: ${z.prettifyError(parsed.error)}`);
}

function sentence(issue: z.core.$ZodIssue, operation: Operation): string {
  if (issue.code === 'unrecognized_keys') {
    const known = issue.path.length ? '' : ` Known fields: ${Object.keys(operation.input.shape).join(', ') || 'none'}.`;
    return `unknown field ${issue.keys.map((key) => `'${key.slice(0, 60)}'`).join(', ')}.${known}`;
  }
  if (issue.code === 'invalid_type' && issue.message.includes('received undefined')) return 'required, and missing.';
  return issue.message;
}
