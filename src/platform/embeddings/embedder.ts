import { AppError } from '#kernel/errors';

/** How long an embedder may try. A person who waits for a search has less time than work in the background. */
export type RetryLimits = {
  attempts?: number;
  timeoutMs?: number;
  isUrgent?: boolean;
  /** Called for each request that was answered, with the tokens that the service reported; null: it reported none. */
  onSpent?: (tokens: number | null) => void;
};

type Embed = (texts: readonly string[], patience?: RetryLimits) => Promise<Float32Array[]>;

/** The space of comparable vectors: vectors of another model or another length cannot be compared. */
export type Space = { name: string; dimensions: number };

/** Turns texts into vectors, so that texts of similar meaning are near each other. */
export type Embedder = {
  /** The model, as settings name it. */
  readonly model: string;
  /** The space of its vectors. May ask the model once for their length, by `through` where that is given. */
  space(patience?: RetryLimits, through?: Embed): Promise<Space>;
  /**
   * One vector for each text, in order. Throws `TextRefused` for texts that it refuses, otherwise `upstream_failed`.
   */
  embed: Embed;
  close(): Promise<void>;
};

/** The embedder is well and does not take these texts: they are too long, or not to its liking. */
export class TextRefused extends AppError {
  constructor(message: string) {
    super('upstream_failed', message);
  }
}

/** Asks for the space once and keeps the answer; an error is not kept. */
export function createSpace(model: string, dimensions: number | null, embed: Embed): Embedder['space'] {
  let known: Promise<Space> | null = dimensions === null ? null : Promise.resolve(buildSpace(model, dimensions));
  return (patience, through = embed) => {
    known ??= through(['How long is a vector?'], patience).then(
      ([vector]) => buildSpace(model, vector?.length ?? 0),
      (error: unknown) => {
        known = null;
        throw error;
      },
    );
    return known;
  };
}

function buildSpace(model: string, dimensions: number): Space {
  return { name: `${model}/${dimensions}`, dimensions };
}
