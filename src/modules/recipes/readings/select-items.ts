// Selects the items of an answer.
import { AppError } from '#kernel/errors';
import { deepestJsonPath, JsonPathLimitError, locateByJsonPath, parseExactJson } from '#providers/http';

const mostItems = 10_000;

/**
 * The items that a JSONPath selects in the text of an answer, with every digit of their numbers. Throws `upstream_failed`
 * for an answer that is not JSON, is nested too deeply or has too many items.
 */
export function selectItems(text: string, iterate: string): unknown[] {
  const { value, exact } = parseAnswer(text);
  const items: unknown[] = [];
  try {
    for (const location of locateByJsonPath(iterate, value)) {
      if (items.length === mostItems) throw new JsonPathLimitError(`there are more than ${mostItems} items`);
      items.push(getAt(exact, location));
    }
  } catch (error) {
    if (!(error instanceof JsonPathLimitError)) throw error;
    throw createAnswerError(`The items cannot be selected by ${iterate}: ${error.message}.`, error);
  }
  return items;
}

function parseAnswer(text: string) {
  try {
    return parseExactJson(text, deepestJsonPath);
  } catch (error) {
    if (error instanceof AppError)
      throw createAnswerError(`The answer is nested deeper than ${deepestJsonPath} levels.`, error);
    if (error instanceof SyntaxError) throw createAnswerError('The answer is not JSON.', error);
    throw error;
  }
}

/** A value at a location of the same form that was found. */
function getAt(value: unknown, location: readonly (string | number)[]): unknown {
  return location.reduce((inside, name) => (inside as Record<string | number, unknown>)[name], value);
}

function createAnswerError(message: string, cause: unknown): AppError {
  return new AppError('upstream_failed', message, { errorCategory: 'bad_response' }, { cause });
}
