/** A question to a person: a list of choices, or an address to open. */
type QuestionWay = { choices: readonly { value: string; label: string }[] } | { url: string };

/** A question to the person at the client. `state` is a secret for that caller, and valid for one reply. */
export type Question = { message: string; state: string; way: QuestionWay };

/**
 * The reply to a question. The client sends it, so it does not prove that a person replied: the caller itself must be
 * allowed to decide.
 */
export type Reply = { state: string; action: 'accept' | 'decline' | 'cancel'; choice: string | null };

/** How a face can ask the person during a call. */
export type QuestionSupport = {
  choices: boolean;
  url: boolean;
  /** The reply to a question of an earlier call; null: no question was asked. */
  reply: Reply | null;
  /**
   * Makes the face return this question instead of the answer. The client then repeats the call with the same input and
   * the reply.
   */
  ask(question: Question): void;
};
