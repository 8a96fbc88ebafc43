import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateSyncs } from './store/syncs.ts';

export const syncId = itemId('sync').describe('Id of a sync, from `sync_integration` or `list_syncs`.');

/** A sync is visible to everybody who may read its brain. */
export const syncResource = defineResource({ kind: 'sync', noun: 'sync', locate: locateSyncs });
