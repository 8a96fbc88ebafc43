import { AppError } from '#kernel/errors';

/** How long an embedder may take. A person who waits for a search has less time than background work. */
export type RetryLimits = {
  attempts?: number;
  timeoutMs?: number;
  isUrgent?: boolean;
  /** Called for each answered request with the tokens that the service reported; null: it reported none. */
  onSpent?: (tokens: number | null) => void;
};

type Embed = (texts: readonly string[], patience?: RetryLimits) => Promise<Float32Array[]>;

/** The space of comparable vectors: vectors of another model or another length cannot be compared. */
export type Space = { name: string; dimensions: number };

/** Turns texts into vectors, so that texts of similar meaning are near each other. */
export type Embedder = {
  /** The model's name in the settings. */
  readonly model: string;
  /** The space of its vectors. May request their length from the model once, with the account `through` if given. */
  space(patience?: RetryLimits, through?: Embed): Promise<Space>;
  /**
   * One vector for each text, in order. Throws `TextRefused` for texts that it refuses, otherwise `upstream_failed`.
   */
  embed: Embed;
  close(): Promise<void>;
};

/** The embedder works but refuses these texts, for example because they are too long. */
export class TextRefused extends AppError {
  constructor(message: string) {
    super('upstream_failed', message);
  }
}

/** Requests the space once and stores the answer, but not an error. */
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
