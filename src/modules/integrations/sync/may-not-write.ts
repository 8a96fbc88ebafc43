/** Ends a sync for good: no person is left in whose name items could be stored. */
export class MayNotWrite extends Error {
  constructor() {
    super('Whoever set this up may no longer write to the brain. Somebody who may has to set it up again.');
  }
}
