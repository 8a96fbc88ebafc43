// A language model for the tests of a file, and the settings of a server that asks it.
import { LLMock } from '@copilotkit/aimock';
import { share } from './share.ts';

/** The model of all tests of a file. Tests set its answers. */
export function shareModel(): LLMock & { close(): Promise<void> } {
  return share(async () => {
    const model = new LLMock({ port: 0 });
    await model.start();
    return Object.assign(model, { close: () => model.stop() });
  });
}

export function buildModelSettings({ url }: Pick<LLMock, 'url'>): Record<string, string> {
  return {
    THALAMUS_LLM_PROVIDER: 'openai-compatible',
    THALAMUS_LLM_BASE_URL: `${url}/v1`,
    THALAMUS_LLM_MODEL: 'm',
  };
}
