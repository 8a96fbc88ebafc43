export { readBrainAccess, checkConnectorBrains, listReadableBrainIds, canPersonReadBrain } from './access.ts';
export { listActiveCoreKnowledge, coreKnowledgeOutput } from './core-knowledge.ts';
export { brainId, brainResource } from './ids.ts';
export { checkPeople, lockToInvite, storeInvitation } from './invitations.ts';
export { archivedBrain } from './archive-contents.ts';
export type { Limits, ReadLimits } from './limits.ts';
export { createBrainsModule } from './module.ts';
export { addBrain, createPersonalBrain } from './new-brain.ts';
export { addSkill, listActiveSkills, skillSummary } from './skills.ts';
export { definePortableTable, type PortableTarget } from './portable-table.ts';
export type { People, Person } from './people.ts';
export { acceptInvitations, findInvitedBrains } from './accept-invitations.ts';
export {
  dropSentBrainInvitations,
  dropBrainInvitationsOfKeys,
  dropBrainInvitations,
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
export { findBrains, readBrainLanguage, listBrainLineage, readPersonalBrainId, type Brain } from './store/brains.ts';
export { transferPersonBrains } from './store/members.ts';
