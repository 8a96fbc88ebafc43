import type { Egress } from '#platform/egress';
import { askObject, askStreamed, askText } from './ask.ts';
import type { LlmSettings } from './model-settings.ts';
import type { Llm, Question } from './question.ts';

export { LlmFailure } from './failure.ts';
export { llmProviders, type Llm, type LlmProvider, type ModelName, type Tokens } from './question.ts';

/** Opens the models of the settings; null when none is configured. */
export function createLlm(egress: Egress, settings: LlmSettings | null): Llm | null {
  if (!settings) return null;
  const chosen = ({ isShort }: Pick<Question, 'isShort'>) => (isShort && settings.fast) || settings.main;
  return {
    modelFor(question) {
      const { provider, model } = chosen(question);
      return { provider, model };
    },
    object: (question) => askObject(egress, chosen(question), question),
    text: (question) => askText(egress, chosen(question), question),
    stream: (question) => askStreamed(egress, chosen(question), question),
  };
}
