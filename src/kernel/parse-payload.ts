import { z } from 'zod';
import type { Action } from './action.ts';
import type { Face } from './context.ts';
import { convertAtFace } from './convert-refused.ts';
import { AppError } from './errors.ts';
import { describeIssues, formatIssues } from './issues.ts';

/** The fields of an action, from its schema. */
export type Payload = Record<string, unknown>;

/**
 * Checks a payload against the action's own schema. For MCP, refused values are converted first. Throws `invalid_input`
 * that names each field.
 */
export function parsePayload(action: Action, payload: unknown, face: Face): Payload {
  const parsed = action.payload.safeParse(convertAtFace(face, action.payload, payload));
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues, action.payload);
  const text = formatIssues(issues, parsed.error.issues.length, action.name);
  throw new AppError('invalid_input', `${action.name} cannot be drafted. ${text}`, {
    issues,
    input_schema: z.toJSONSchema(action.payload, { io: 'input' }),
  });
}
