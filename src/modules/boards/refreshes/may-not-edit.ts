/** Stops a recipe: the person in whose name it writes may no longer edit the board. */
export class MayNotEdit extends Error {
  constructor() {
    super(
      'The person who made the link may no longer edit the board. A person who may edit it must make the link again.',
    );
  }
}
