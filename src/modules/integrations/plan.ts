import type { Face } from '#kernel/context';
import { convertAtFace } from '#kernel/convert-refused';
import { AppError } from '#kernel/errors';
import { describeIssues } from '#kernel/issues';
import { z } from 'zod';
import type { LocalMoment, Source } from '#providers/reading';

/** A caller's request to a source: an exact input, or a free-text request. */
export type SourceRequest = { request?: string | undefined; input?: Record<string, unknown> | undefined };

/** A reading that is ready to start: the source's own input, and a note about how the input was found. */
export type Plan = { input: Record<string, unknown>; log: string[] };

const nothing = z.strictObject({});

/** Turns a call into a plan. Throws `invalid_input` that lists the accepted input, instead of guessing. */
export function planReading(
  source: Source,
  asked: SourceRequest,
  { face, ...moment }: LocalMoment & { face: Face },
): Plan {
  if (asked.input) return { input: parse(source, asked.input, face), log: [`input was used as given`] };
  if (asked.request === undefined) throw new AppError('invalid_input', `Say what to fetch. ${source.hint}`);
  const understood = source.parseRequest(asked.request, moment);
  if (!understood) {
    throw new AppError('invalid_input', `request: this cannot be understood without guessing. ${source.hint}`);
  }
  const input = parse(source, understood, face);
  return { input, log: [`request was understood as ${JSON.stringify(understood)}`] };
}

/** Checks the settings of a sync. Throws `invalid_input` that lists the accepted settings. */
export function parseSyncSettings(
  { settings = nothing, label, hint }: Source,
  input: Record<string, unknown>,
  face: Face,
) {
  const read = convertAtFace(face, settings, input);
  return parseBySchema(settings, read, settings === nothing ? `${label} accepts no input here.` : hint);
}

function parse({ input: schema, hint }: Source, input: Record<string, unknown>, face: Face): Record<string, unknown> {
  return parseBySchema(schema, convertAtFace(face, schema, input), hint);
}

function parseBySchema(schema: z.ZodObject, input: unknown, hint: string): Record<string, unknown> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues, schema).map(({ path, message }) =>
    path ? `input.${path}: ${message}` : `input: ${message}`,
  );
  throw new AppError('invalid_input', `${issues.join('; ')}. ${hint}`, { issues });
}
