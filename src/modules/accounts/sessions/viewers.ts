// Viewers: what the cookie of a session allows by itself, namely viewing pages and using what a second secret was
// issued for.
import type { Caller } from '#kernel/caller';
import type { Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { readPresented } from '#platform/database';
import { hashSecret, issueSecret, presentSecret, useSecret } from '#platform/one-time-secrets';
import type { Kysely } from 'kysely';
import { buildSessionCaller, findOpenSession } from '../authenticate.ts';
import { generateSessionProof, type NewSession } from './open-session.ts';
import { replaceProof } from '../store/sessions.ts';

/**
 * The person whose browser opens a page: it has the cookie of their session, which a browser also sends to every other
 * port of this host. A viewer is not a caller. Code that unwraps it shows a page, or finishes what a state or a ticket
 * was made for.
 */
export type Viewer = { session: Caller };

/** Finds the viewer behind the cookie of a session. Throws `unauthenticated` when the session has ended. */
export type FindViewer = (cookie: string) => Promise<Viewer>;

/** The consents that a browser begins and finishes by itself; their state is bound to the session. */
const consentOperations = ['start_oauth', 'finish_oauth'];
/** The operations that authorise a download. */
const downloadOperations = ['get_document', 'get_attachment', 'get_action', 'training_download', 'get_starter_recipe'];

type ViewerDeps = { db: Kysely<unknown>; transactions: Transactions; now: () => Date; newId: () => string };

export function createFindViewer({ db, now }: ViewerDeps): FindViewer {
  return (cookie) => {
    const [hash, at] = [hashSecret(cookie), now()];
    return readPresented(db, hash, async (tx) => {
      const caller = await buildSessionCaller(tx, await findOpenSession(tx, hash, at), at);
      return { session: { ...caller, grants: consentOperations.map((tool) => ({ tool })) } };
    });
  };
}

const [downloadPurpose, handOverPurpose] = ['download', 'session_proof'];
/** A browser follows the address at once. */
const livesMs = 60_000;

/** One-time addresses of files, for the browser of the person who requested them. */
export type Downloads = {
  /** A ticket for one path of this server. */
  issue(caller: Caller, path: string): Promise<{ ticket: string; expiresAt: Date }>;
  /** Uses up a ticket. Returns the caller for this one download. Throws `unauthenticated`. */
  redeem(viewer: Viewer, download: { path: string; ticket: string }): Promise<Caller>;
};

export function createDownloads({ db, transactions, now, newId }: ViewerDeps): Downloads {
  const boundTo = (sessionId: string, path: string) => `${sessionId} ${path}`;
  return {
    async issue({ id, workspaceId }, path) {
      const at = now();
      const expiresAt = new Date(at.getTime() + livesMs);
      const secret = {
        purpose: downloadPurpose,
        prefix: 'td' as const,
        subjectId: newId(),
        workspaceId,
        at,
        expiresAt,
      };
      const ticket = await transactions.run(workspaceId, 'write', (bound) =>
        issueSecret(bound, { ...secret, boundTo: boundTo(id, path) }),
      );
      return { ticket, expiresAt };
    },
    async redeem({ session }, { path, ticket }) {
      const presented = await presentSecret(db, downloadPurpose, ticket);
      const presentation = { secret: ticket, boundTo: boundTo(session.id, path), at: now() };
      const isUsed =
        presented?.workspaceId === session.workspaceId &&
        (await transactions.run(session.workspaceId, 'write', (bound) =>
          useSecret(bound, downloadPurpose, presentation),
        ));
      if (!isUsed)
        throw new AppError(
          'unauthenticated',
          'This download address was used, has expired, or belongs to another browser. Start the download again.',
        );
      return { ...session, grants: downloadOperations.map((tool) => ({ tool })) };
    },
  };
}

/** Gives the proof of a session to the console when no script of it signed in: after a provider's redirect. */
export type ProofHandOver = {
  /** A code for the fragment of the console's address. */
  offer(session: NewSession): Promise<string>;
  /** Uses up a code, in the browser with the session's cookie, and returns a new proof. Throws `unauthenticated`. */
  take(given: { code: string; cookie: string }): Promise<string>;
};

export function createProofHandOver({ db, transactions, now }: ViewerDeps): ProofHandOver {
  return {
    offer({ id: subjectId, workspaceId, token: boundTo }) {
      const at = now();
      const expiresAt = new Date(at.getTime() + livesMs);
      return transactions.run(workspaceId, 'write', (bound) =>
        issueSecret(bound, {
          purpose: handOverPurpose,
          prefix: 'tc' as const,
          subjectId,
          workspaceId,
          boundTo,
          at,
          expiresAt,
        }),
      );
    },
    async take({ code, cookie }) {
      const presented = await presentSecret(db, handOverPurpose, code);
      if (!presented) throw createCodeUsedUpError();
      return transactions.run(presented.workspaceId, 'write', async (bound) => {
        const at = now();
        const id = await useSecret(bound, handOverPurpose, { secret: code, boundTo: cookie, at });
        const proof = generateSessionProof();
        const change = { tokenHash: hashSecret(cookie), proofHash: hashSecret(proof), at };
        if (id === undefined || !(await replaceProof(bound, { id, ...change }))) throw createCodeUsedUpError();
        return proof;
      });
    },
  };
}

function createCodeUsedUpError(): AppError {
  return new AppError('unauthenticated', 'This sign-in was already finished, or took too long. Sign in again.');
}
