// The thread of a local model: it loads `@huggingface/transformers` and the model, and embeds one batch after another.
import { parentPort, workerData } from 'node:worker_threads';
import type { LocalAnswer, LocalRequest } from './local-messages.ts';
import { loadModel } from './load-model.ts';

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
const { folder } = workerData as { folder: string }; // the thread that starts this one passes exactly this
const model = loadModel(folder);
model.catch(() => {}); // sent with the first answer

port.on('message', ({ texts }: LocalRequest) => {
  void answerTo(texts).then((answer) => port.postMessage(answer));
});

async function answerTo(texts: string[]): Promise<LocalAnswer> {
  try {
    return { vectors: await (await model)(texts) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
