export { blobKeysQuery, keepingOf, storeDocument, type Keeping } from './store-document.ts';
export { documentsModule } from './module.ts';
export { lockConstellations } from './store.ts';
export { createFindConstellations } from './find-constellations.ts';
export { documentFilesOf, type DocumentFiles } from './files.ts';
export { uploadsOf, type Uploads } from './uploads.ts';
