// A provider in the crash matrix: its connection and its actions.
import type { HandleKind } from '#kernel/action';
import type { FailureMatch, Failures } from '#emulators/kit/failures';
import type { Ledger } from '#emulators/kit/ledger';
import type { ActionToDraft } from '../../support/acting.ts';
import type { ReachedServer } from '../../support/server.ts';

/** One action. `marker` is a text that only this draft contains. */
export type Subject = {
  /** Its source and how it is called there: `gmail send_email`. */
  name: string;
  handle: HandleKind;
  request(marker: string): ActionToDraft | Promise<ActionToDraft>;
  /** How often it is there. */
  visible(marker: string): number | Promise<number>;
  /** How much of it is left unsent where the person sees it. */
  unsent?(marker: string): number;
  /** The requests that a confirm makes, in order; the last one is what does it. */
  requests(marker: string): [FailureMatch, ...FailureMatch[]];
  /** Where no editable field holds the marker: how it is edited, and what it does tells these values. */
  edits?: Record<string, unknown>;
};

/** A provider that is emulated. */
export type Upstream = {
  settings: Record<string, string>;
  failures: Failures;
  ledger: Pick<Ledger, 'ever'>;
  link(server: ReachedServer): Promise<void>;
  subjects: readonly Subject[];
  close(): Promise<void>;
};
