export { createExternalVault, type ExternalVaultConfig } from './external-vault.ts';
export { checkRootKeys, giveUpRootKeys, rootKeyIdsQuery } from './check-root-keys.ts';
export { createForgetting } from './forgetting.ts';
export { findRootKey, generateRootKey, createLocalRootKey, type KeyWrapper } from './root-key.ts';
export { createVault, type VaultColumn, type Vault } from './vault.ts';
