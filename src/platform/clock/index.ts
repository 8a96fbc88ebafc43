import { v7 } from 'uuid';

/** The time now. */
export function now(): Date {
  return new Date();
}

/** A new id: UUIDv7, so that ids sort by when they were made. */
export function newId(): string {
  return v7();
}
