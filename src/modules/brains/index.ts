export { brainAccess, checkConnectorBrains, readableBrains, readsBrain } from './access.ts';
export { coreKnowledgeInForce, coreKnowledgeOutput } from './core-knowledge.ts';
export { brainId, brainResource } from './ids.ts';
export { checkPeople, lockToInvite, storeInvitation } from './invitations.ts';
export { archivedBrain } from './archive-contents.ts';
export type { Limits, ReadLimits } from './limits.ts';
export { brainsModule } from './module.ts';
export { addBrain, createPersonalBrain } from './new-brain.ts';
export { addSkill, skillsInForce, skillSummary } from './skills.ts';
export { portableTable, type PortableTarget } from './portable-table.ts';
export type { People, Person } from './people.ts';
export { acceptInvitations, findInvitedBrains } from './accept-invitations.ts';
export {
  dropBrainInvitationsBy,
  dropBrainInvitationsOfKeys,
  dropInvitationsOf,
  lockAddress,
  invitedRoles,
  noteKeyOfBrainInvitations,
} from './store/invitations.ts';
export {
  addArchiveLines,
  changeArchiveLines,
  dropArchiveLines,
  listArchivedKinds,
  listBrainLines,
  selectArchiveLines,
  type ArchiveLine,
} from './store/archive-lines.ts';
export { updateFromArchive } from './store/archives.ts';
export { findBrains, languageOf, lineageOf, personalBrainOf, type Brain } from './store/brains.ts';
export { releaseBrainsOf } from './store/members.ts';
