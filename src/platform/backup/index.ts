export { BackupError } from './backup-file.ts';
export { checkBackup, restoreBackup } from './restore-backup.ts';
export { writeBackup } from './write-backup.ts';
