import type { z } from 'zod';

/** The supported protocols. Most local servers and gateways use the last one. */
export const llmProviders = ['anthropic', 'openai', 'groq', 'openai-compatible'] as const;
export type LlmProvider = (typeof llmProviders)[number];

/** Which model, and at which provider. */
export type ModelName = { provider: LlmProvider; model: string };

/** A model of this server. `isPrivate`: its address is on this machine or in a private network. */
export type Model = ModelName & { isPrivate: boolean };

/** The tokens of a question. `input` includes those read from the provider's cache and those written to it. */
export type Tokens = { input: number; cachedInput: number; cacheWrite: number; output: number };

/** A turn of a conversation; the last one is the person's. */
export type Message = { role: 'user' | 'assistant'; content: string };

export type Question = {
  system?: string;
  /** The question, or the conversation that ends with it. */
  prompt: string | readonly Message[];
  /** A short turn: the fast model answers it, if one is set. */
  isShort?: boolean;
  maxOutputTokens?: number;
  /** From 0 to 1; the provider's default if absent. */
  temperature?: number;
  /** Time limit of one attempt in milliseconds, to the last byte of its answer; 60,000 by default. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Called once, as soon as the provider has reported the usage, also for failed questions. */
  onSpent?: (tokens: Tokens) => void;
  /**
   * Called when a text answer ends at `maxOutputTokens`: the incomplete answer is then returned. Without this callback,
   * that is an error.
   */
  onCut?: () => void;
};

/** One question that is being asked. */
export type MeteredQuestion = {
  /** The tokens that the provider reported. */
  spent(tokens: Tokens): void;
  /** Called once at its end. Null: it was answered. */
  end(error: unknown): Promise<void>;
};

/**
 * Meters questions. Every question needs one: it is called first, with the most tokens that the question can use, and
 * throws when the question may not be asked.
 */
export type Meter = { begin(question: { model: Model; most: Tokens }): Promise<MeteredQuestion> };

/** A reader of a streamed answer stopped before its end. */
export const stoppedReading = Symbol('The answer was not read to its end.');

/** Asks models. Every question throws `LlmFailure` when there is no usable answer. */
export type ModelAccess = {
  /**
   * Asks for an answer in a schema. Every field must be required (nullable where it may be missing), because some
   * providers insist on that.
   */
  object<Answer>(question: Question & { schema: z.ZodType<Answer> }): Promise<Answer>;
  text(question: Question): Promise<string>;
  /** The answer while it is written, piece by piece. When the reader stops, the model stops, too. */
  stream(question: Question): AsyncGenerator<string, void, undefined>;
};

/** Language models. Everything works without one; a model makes free-text requests easier to understand. */
export type Llm = {
  /** The model that would answer. */
  getModel(question: Pick<Question, 'isShort'>): Model;
  /** The models, with every question metered. */
  by(meter: Meter): ModelAccess;
};
