// A language model in a few lines, on a real port: it speaks as OpenAI-compatible servers do, and says what a test wants.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type SmallModel = { settings: Record<string, string>; prompts: string[]; close(): void };

/** `answer` gets the last message of a question; the object it gives is the answer, as JSON. What never resolves hangs. */
export async function startSmallModel(answer: (prompt: string) => object | Promise<object>): Promise<SmallModel> {
  const prompts: string[] = [];
  const server = createServer(async (request, response) => {
    const { messages } = JSON.parse(await text(request)) as { messages: { content: string }[] };
    const prompt = messages.at(-1)?.content ?? '';
    prompts.push(prompt);
    const content = JSON.stringify(await answer(prompt));
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'small', choices }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    settings: { THALAMUS_LLM_BASE_URL: `http://127.0.0.1:${port}/v1`, THALAMUS_LLM_MODEL: 'small' },
    prompts,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
