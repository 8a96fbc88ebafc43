import type { Egress } from '#platform/egress';
import { askObject, askStreamed, askText } from './ask.ts';
import { limitAnswer } from './most-tokens.ts';
import { isPrivateAddress, type LlmSettings } from './model-settings.ts';
import { measureAnswer, measureStream } from './measure.ts';
import type { Asking, Llm, Meter, Question } from './question.ts';

export { LlmFailure } from './failure.ts';
export { isPrivateAddress } from './model-settings.ts';
export { mostTokensOf } from './most-tokens.ts';
export {
  llmProviders,
  stoppedReading,
  type Asking,
  type Llm,
  type LlmProvider,
  type Meter,
  type MeteredQuestion,
  type Model,
  type ModelName,
  type Tokens,
} from './question.ts';

/** Opens the models of the settings; null when none is configured. */
export function createLlm(egress: Egress, settings: LlmSettings | null): Llm | null {
  if (!settings) return null;
  const chosen = ({ isShort }: Pick<Question, 'isShort'>) => (isShort && settings.fast) || settings.main;
  function modelFor(question: Pick<Question, 'isShort'>) {
    const { provider, model, baseUrl } = chosen(question);
    return { provider, model, isPrivate: isPrivateAddress(baseUrl) };
  }
  function by(meter: Meter): Asking {
    const limited = <Asked extends Question>(question: Asked) => limitAnswer(question, modelFor(question));
    return {
      object: (question) =>
        measureAnswer(meter, modelFor(question), limited(question), (each) => askObject(egress, chosen(each), each)),
      text: (question) =>
        measureAnswer(meter, modelFor(question), limited(question), (each) => askText(egress, chosen(each), each)),
      stream: (question) =>
        measureStream(meter, modelFor(question), limited(question), (each) => askStreamed(egress, chosen(each), each)),
    };
  }
  return { modelFor, by };
}
