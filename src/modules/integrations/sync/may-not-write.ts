/** A sync ends for good: nobody is there any more in whose name it could be stored. */
export class MayNotWrite extends Error {
  constructor() {
    super('Whoever set this up may no longer write to the brain. Somebody who may has to set it up again.');
  }
}
