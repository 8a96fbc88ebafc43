import { v7 } from 'uuid';

/** The time now. */
export function now(): Date {
  return new Date();
}

/** A new id: UUIDv7, so that ids sort by the time when they were created. */
export function newId(): string {
  return v7();
}
