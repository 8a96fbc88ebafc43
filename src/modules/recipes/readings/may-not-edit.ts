/** Ends readings: the person in whose name they store may no longer edit the brain. */
export class MayNotEdit extends Error {
  constructor() {
    super(
      'The person who installed this may no longer edit the brain. A person who may edit it must activate it again with update_recipe_install.',
    );
  }
}
