// Checks with the meter before a question is sent, and reports its end to the meter.
import type { z } from 'zod';
import { countMostTokens } from './most-tokens.ts';
import { stoppedReading, type Meter, type Model, type Question } from './question.ts';

type MeasuredQuestion = Question & { schema?: z.ZodType };

/** Asks a question whose answer is returned complete. */
export async function measureAnswer<Each extends MeasuredQuestion, Answer>(
  meter: Meter,
  model: Model,
  question: Each,
  ask: (question: Each) => Promise<Answer>,
): Promise<Answer> {
  const begun = await meter.begin({ model, most: countMostTokens(question, model) });
  try {
    const answer = await ask({ ...question, onSpent: combineSpentListeners(question, begun.spent) });
    await begun.end(null);
    return answer;
  } catch (error) {
    await begun.end(error);
    throw error;
  }
}

/** Asks a question whose answer is read while it is written. */
export async function* measureStream(
  meter: Meter,
  model: Model,
  question: Question,
  ask: (question: Question) => AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  const begun = await meter.begin({ model, most: countMostTokens(question, model) });
  let failure: unknown = stoppedReading;
  try {
    yield* ask({ ...question, onSpent: combineSpentListeners(question, begun.spent) });
    failure = null;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await begun.end(failure); // also when the reader stops
  }
}

function combineSpentListeners(
  { onSpent }: Question,
  spent: NonNullable<Question['onSpent']>,
): NonNullable<Question['onSpent']> {
  return (tokens) => {
    spent(tokens);
    onSpent?.(tokens);
  };
}
