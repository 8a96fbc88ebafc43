import type { Db } from '#kernel/database';
import { pausePersonReadings } from './store/readings.ts';

const installerLeft = 'The person who installed this left. A person who may edit the brain can activate it.';

/** Pauses the readings of a person who leaves. What they published and installed stays. */
export async function endReadingsOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  await pausePersonReadings(db, personId, installerLeft, at);
}
