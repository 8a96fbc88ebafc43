import type { Egress } from '#platform/egress';
import { askObject, askStreamed, askText } from './ask.ts';
import { limitAnswer } from './most-tokens.ts';
import { isPrivateAddress, type LlmSettings } from './model-settings.ts';
import { measureAnswer, measureStream } from './measure.ts';
import type { ModelAccess, Llm, Meter, Question } from './question.ts';
import { traceAnswer, traceStream } from './trace-question.ts';

export { LlmFailure } from './failure.ts';
export { isPrivateAddress } from './model-settings.ts';
export { countMostTokens } from './most-tokens.ts';
export {
  llmProviders,
  stoppedReading,
  type ModelAccess,
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
  function getModel(question: Pick<Question, 'isShort'>) {
    const { provider, model, baseUrl } = chosen(question);
    return { provider, model, isPrivate: isPrivateAddress(baseUrl) };
  }
  function by(meter: Meter): ModelAccess {
    const limited = <Asked extends Question>(question: Asked) => limitAnswer(question, getModel(question));
    return {
      object: (question) =>
        measureAnswer(meter, getModel(question), limited(question), (each) =>
          traceAnswer(getModel(each), each, (traced) => askObject(egress, chosen(traced), traced)),
        ),
      text: (question) =>
        measureAnswer(meter, getModel(question), limited(question), (each) =>
          traceAnswer(getModel(each), each, (traced) => askText(egress, chosen(traced), traced)),
        ),
      stream: (question) =>
        measureStream(meter, getModel(question), limited(question), (each) =>
          traceStream(getModel(each), each, (traced) => askStreamed(egress, chosen(traced), traced)),
        ),
    };
  }
  return { getModel, by };
}
