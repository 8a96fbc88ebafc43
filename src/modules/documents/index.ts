export { blobKeysQuery, getDocumentStorage, storeDocument, type StoreDeps } from './store-document.ts';
export { documentsModule } from './module.ts';
export { lockConstellations } from './store.ts';
export { createFindConstellations } from './find-constellations.ts';
export { getDocumentFiles, type DocumentFiles } from './files.ts';
export { getUploads, type Uploads } from './uploads.ts';
