// Fields under the names that programs for other systems read. They are beside the fields of the operation's answer.
import { buildCalendarResults, buildSearchResults } from '#platform/sandbox';

type Fields = Record<string, unknown>;

const namesByOperation: Record<string, (answer: Fields) => Fields> = {
  search: ({ pages }) => ({ results: buildSearchResults(pages as Fields[]) }),
  list_calendar_events: ({ events }) => ({ results: buildCalendarResults(events as Fields[]) }),
};

/** The answer of an operation with the fields that bare clients read, as scripts get them. */
export function addReferenceNames(operation: string, answer: object): object {
  const build = Object.hasOwn(namesByOperation, operation) ? namesByOperation[operation] : undefined;
  return build ? { ...answer, ...build(answer as Fields) } : answer; // both operations answer an object
}
