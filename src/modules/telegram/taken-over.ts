/** Another process listens to this bot now, or nobody should any more: unfinished work must not be stored. */
export class TakenOver extends Error {
  constructor() {
    super('this process no longer listens to the bot');
  }
}
