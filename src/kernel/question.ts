/** How a question can be put to whoever is there: as a few choices, or as an address to open. */
type Way = { choices: readonly { value: string; label: string }[] } | { url: string };

/**
 * What an operation's `afterCommit` may answer instead of its output, where `ctx.asking` says that the face can ask. The call is
 * then made once more, with the same input and the reply. `state` is known to that caller alone, and good for one reply.
 */
export class Question {
  readonly message: string;
  readonly state: string;
  readonly way: Way;

  constructor(question: { message: string; state: string; way: Way }) {
    this.message = question.message;
    this.state = question.state;
    this.way = question.way;
  }
}

/** What came back. It comes from the client, and counts for no more than the caller may decide itself. */
export type Reply = { state: string; action: 'accept' | 'decline' | 'cancel'; choice: string | null };

/** In which ways the caller's client can be asked, and what was replied to a question before. */
export type Asking = { choices: boolean; url: boolean; reply: Reply | null };
