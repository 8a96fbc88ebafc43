/** Another process listens to this bot now, or nobody shall any more: what was begun here is not to be stored. */
export class TakenOver extends Error {
  constructor() {
    super('this process no longer listens to the bot');
  }
}
