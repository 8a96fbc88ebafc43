import { AppError } from '#kernel/errors';
import { EgressError, type Egress } from '#platform/egress';
import type { z } from 'zod';

/** The door to a language model. Everything works without one; with one, wishes in plain words are understood better. */
export type Llm = {
  /** Asks for an answer of a form. Throws `upstream_failed` when none of that form comes back. */
  object<Answer>(question: { system: string; prompt: string; schema: z.ZodType<Answer> }): Promise<Answer>;
};

export type LlmSettings = { baseUrl: string; model: string; apiKey: string | null };

const timeoutMs = 60_000;
const maxBytes = 2_000_000;

/** Opens the door to an OpenAI-compatible endpoint; null when none is set. */
export function createLlm(egress: Egress, settings: LlmSettings | null): Llm | null {
  if (!settings) return null;
  return {
    async object({ system, prompt, schema }) {
      const { generateText, Output } = await import('ai'); // loaded by the first question: most servers ask none
      try {
        const form = Output.object({ schema });
        const model = await openModel(egress, settings);
        const { output } = await generateText({ model, system, prompt, output: form, maxRetries: 1 });
        return output;
      } catch (cause) {
        if (cause instanceof EgressError) throw cause;
        const message = 'The language model gave no usable answer. Say it in another way, or by its fields.';
        throw new AppError('upstream_failed', message, {}, { cause });
      }
    },
  };
}

async function openModel(egress: Egress, { baseUrl, model, apiKey }: LlmSettings) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name: 'llm',
    baseURL: baseUrl,
    ...(apiKey && { apiKey }),
    supportsStructuredOutputs: true,
    fetch: throughEgress(egress, baseUrl, apiKey),
  });
  return provider(model);
}

function throughEgress(egress: Egress, baseUrl: string, apiKey: string | null) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { status, headers, body } = await egress.request({
      method: init?.method ?? 'POST',
      url: input instanceof Request ? input.url : String(input),
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' && { body: init.body }),
      timeoutMs,
      maxBytes,
      redirects: 'refuse',
      allow: [baseUrl],
      secrets: apiKey ? [apiKey] : [],
      ...(init?.signal && { signal: init.signal }),
    });
    return new Response(new Uint8Array(body), { status, headers });
  };
}
