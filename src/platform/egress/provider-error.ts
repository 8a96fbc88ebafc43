// Finds the message for people and the error code in the error bodies of providers.
import { z } from 'zod';

/** `word` is the provider's own error code, or empty. */
export type ProviderError = { message: string | undefined; word: string; retryAfterSeconds?: number | undefined };

const text = z.string().min(1);
const optionalText = text.optional().catch(undefined);

const googleReason = z.object({ reason: optionalText });
const googleError = z.object({
  error: z.object({
    message: text,
    status: optionalText,
    type: optionalText,
    errors: z.array(googleReason).optional().catch(undefined),
  }),
});
const graphqlError = z.object({
  errors: z.tuple([z.object({ message: text, type: optionalText, extensions: z.unknown().optional() })], z.unknown()),
});
const graphqlCode = z.object({ code: text });
const oauthError = z.object({ error: text, error_description: optionalText, message: optionalText });
const plainMessage = z.object({ message: text, code: optionalText });
const telegramError = z.object({
  ok: z.literal(false),
  description: text,
  parameters: z
    .object({ retry_after: z.number().min(0).max(1e9).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
const problem = z.object({ title: text, detail: optionalText });

/** Each form of error body with its reader; the first that matches is used. */
const readers: readonly ((body: unknown) => ProviderError | undefined)[] = [
  // Google, OpenAI, Stripe
  function readNested(body) {
    const parsed = googleError.safeParse(body);
    if (!parsed.success) return undefined;
    const { message, status, type, errors } = parsed.data.error;
    return { message, word: errors?.[0]?.reason ?? status ?? type ?? '' };
  },
  // GraphQL: Linear, Monday, GitHub v4
  function readGraphql(body) {
    const parsed = graphqlError.safeParse(body);
    if (!parsed.success) return undefined;
    const [{ message, type, extensions }] = parsed.data.errors;
    const code = graphqlCode.safeParse(extensions);
    return { message, word: code.success ? code.data.code : (type ?? '') };
  },
  // OAuth (RFC 6749 section 5.2), Slack
  function readOauth(body) {
    const parsed = oauthError.safeParse(body);
    if (!parsed.success) return undefined;
    const { error, error_description: description, message } = parsed.data;
    const sentence = description ?? message;
    return { message: sentence === undefined ? error : `${error}: ${sentence}`, word: error };
  },
  // Telegram, which reports the waiting time only here
  function readTelegram(body) {
    const parsed = telegramError.safeParse(body);
    if (!parsed.success) return undefined;
    const { description, parameters } = parsed.data;
    return { message: description, word: '', retryAfterSeconds: parameters?.retry_after };
  },
  // GitHub, Notion, Discord
  function readMessage(body) {
    const parsed = plainMessage.safeParse(body);
    return parsed.success ? { message: parsed.data.message, word: parsed.data.code ?? '' } : undefined;
  },
  // Problem details (RFC 9457)
  function readProblem(body) {
    const parsed = problem.safeParse(body);
    return parsed.success ? { message: parsed.data.detail ?? parsed.data.title, word: '' } : undefined;
  },
];

/** Reads an error body. Plain text is the message itself; an HTML page and an unknown form give no message. */
export function readProviderError(body: string, contentType: string): ProviderError {
  const parsed = parseJson(body);
  if (parsed === undefined) {
    return { message: contentType.startsWith('text/plain') && body !== '' ? body : undefined, word: '' };
  }
  for (const read of readers) {
    const found = read(parsed);
    if (found) return found;
  }
  return { message: undefined, word: '' };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
