import { createAttachmentRoutes } from './attachments.ts';
import { createAutomationHookRoutes } from './hooks.ts';
import { createBoardFormRoutes } from './board-forms.ts';
import { createConsentRoutes } from './consent.ts';
import { createDocumentRoutes } from './documents.ts';
import { createDownloadRoutes } from './downloads.ts';
import { createFeedRoutes } from './feed.ts';
import { createOauthRoutes } from './oauth.ts';
import { createOauthServerRoutes } from './oauth-server.ts';
import { createPasskeyRoutes } from './passkeys.ts';
import { createPlaygroundRoutes } from './oauth-playground.ts';
import { createProofScriptRoutes } from './proof-script.ts';
import { createRecipePreviewRoutes } from './recipe-previews.ts';
import { createSetVariablesRoutes } from './set-variables.ts';
import { createSignInRoutes } from './sign-in.ts';
import { createSignInWithRoutes } from './sign-in-with.ts';
import { createStatusRoutes } from './status.ts';
import { createTrainingRoutes } from './training.ts';
import { createWebhookRoutes } from './webhooks.ts';
import type { CreateRoutes } from './web-deps.ts';

/**
 * Everything that this face serves except the console, which serves the remaining paths. This list comes before the
 * operations: a form with a document is sent to the path of an operation.
 */
export const webRoutes: readonly CreateRoutes[] = [
  createStatusRoutes,
  createTrainingRoutes,
  createDownloadRoutes,
  createDocumentRoutes,
  createOauthServerRoutes,
  createConsentRoutes,
  createSignInRoutes,
  createPasskeyRoutes,
  createSignInWithRoutes,
  createOauthRoutes,
  createAttachmentRoutes,
  createSetVariablesRoutes,
  createBoardFormRoutes,
  createAutomationHookRoutes,
  createWebhookRoutes,
  createFeedRoutes,
  createPlaygroundRoutes,
  createProofScriptRoutes,
  createRecipePreviewRoutes,
];
