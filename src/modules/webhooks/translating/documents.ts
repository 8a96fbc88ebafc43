// Parses the result of a translator, which is untrusted.
import { longestContent } from '#modules/ingest';
import { z } from 'zod';

const createTextSchema = (most: number) => z.string().trim().max(most).nullish();
const id = z.union([z.string().trim().max(500), z.number().transform(String)]).nullish();

const longestMetadata = 20_000;

/** PostgreSQL cannot store NUL, or half of a surrogate pair. */
const metadata = z
  .record(z.string().max(200), z.json())
  .refine(
    (said) => JSON.stringify(said).length <= longestMetadata,
    `must have ${longestMetadata} characters of JSON or fewer`,
  )
  .transform((said) => removeUnstorable(said) as Record<string, unknown>); // a record stays one

function removeUnstorable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map(removeUnstorable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [removeUnstorable(name), removeUnstorable(each)]),
  );
}

const document = z.object({
  content: z.string().trim().min(1).max(longestContent),
  source_id: id,
  source_channel: createTextSchema(200),
  source_user: createTextSchema(300),
  author: createTextSchema(200),
  occurred_at: z.iso.datetime({ offset: true }).nullish(),
  target_brain_id: z.uuid().nullish(),
  type: createTextSchema(200),
  tags: z.array(z.string().trim().min(1).max(100)).max(100).nullish(),
  metadata: metadata.nullish(),
});
export type TranslatedDocument = z.output<typeof document>;

const mostDocuments = 200;
const documents = z.array(document).max(mostDocuments);
const drop = z.object({ drop: z.literal(true), drop_reason: z.string().max(2_000).nullish() });

export type Translation =
  | { kind: 'documents'; documents: TranslatedDocument[] }
  | { kind: 'drop'; reason: string }
  | { kind: 'error'; message: string };

/** Reads `{documents: […]}`, a list, one document, or `{drop: true, drop_reason}`. */
export function parseTranslation(value: unknown): Translation {
  const dropped = drop.safeParse(value);
  if (dropped.success) return { kind: 'drop', reason: dropped.data.drop_reason || 'The translator dropped it.' };
  const parsed = documents.safeParse(getDocumentList(value));
  if (!parsed.success)
    return { kind: 'error', message: `The translator returned something else: ${formatIssue(parsed.error)}` };
  if (!parsed.data.length) return { kind: 'drop', reason: 'The translator returned no documents.' };
  return { kind: 'documents', documents: parsed.data };
}

function getDocumentList(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('documents' in value) return value.documents;
  return 'content' in value ? [value] : value;
}

function formatIssue({ issues }: z.ZodError): string {
  const [first] = issues;
  const where = first?.path.length
    ? `documents[${first.path.join('.')}]: `
    : 'expected {documents: […]} or {drop: true}. ';
  return `${where}${first?.message ?? ''}`.slice(0, 500);
}
