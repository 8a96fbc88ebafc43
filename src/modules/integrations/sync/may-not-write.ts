/** The error that ends a sync: its creator may no longer store items. */
export class MayNotWrite extends Error {
  constructor() {
    super(
      'The person who set up this sync may no longer write to the brain. A person who may write must set it up again.',
    );
  }
}
